#include "benchmarks/operators/param/run_items.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/operators/param/error_class.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

using Texts = std::vector<std::string>;

constexpr char kFile[] = R"({
  "a": {"build_iterator": "RangeConfigIterator", "config": [
    {"build": [{"args": [{"type": "int", "value": [1, 2, 1], "__range__": ["value"]}]}, {"args": []}],
     "input": [{"args": []}, {"kwargs": {}}]},
    {"input": [{"args": []}]}]},
  "b": {"config": [{"build": [], "input": [{"args": []}]}]}})";

Texts Ids(const char* text, Selection selection, absl::Status* missed = nullptr) {
  const auto file = ConfigFile::Parse("f.json", text);
  EXPECT_TRUE(file.ok()) << file.status();
  RunItems items(**file, std::move(selection));
  Texts ids;
  while (std::optional<RunItem> item = items.Next()) {
    ids.push_back(item->problem.ok() ? item->RunId()
                                     : absl::StrCat(item->RunId(), " ", ClassOf(item->problem)));
  }
  if (missed != nullptr) *missed = items.Missed();
  return ids;
}

TEST(RunItems, AnIdHasConfigBuildAndInputWhateverCameBefore) {
  EXPECT_EQ(Ids(kFile, {}), Texts({"a|0|0_0|0", "a|0|0_0|1", "a|0|0_1|0", "a|0|0_1|1", "a|0|1_0|0",
                                   "a|0|1_0|1", "a|1|0|0", "b|0|0|0"}));
}

TEST(RunItems, RunsFromTheFirstIdToBeforeTheSecond) {
  EXPECT_EQ(Ids(kFile, {.resume = "a|0|0_1|0", .stop = "a|0|1_0|1"}),
            Texts({"a|0|0_1|0", "a|0|0_1|1", "a|0|1_0|0"}));
  EXPECT_EQ(Ids(kFile, {.stop = "a|0|0_0|1"}), Texts({"a|0|0_0|0"}));
  EXPECT_EQ(Ids(kFile, {.resume = "b|0|0|0"}), Texts({"b|0|0|0"}));
}

TEST(RunItems, AnIdThatIsNotThereIsMissed) {
  absl::Status missed;
  EXPECT_EQ(Ids(kFile, {.resume = "a|0|9|9"}, &missed), Texts());
  EXPECT_EQ(ClassOf(missed), "UNKNOWN_ID");
  EXPECT_EQ(Ids(kFile, {.stop = "c|0|0|0"}, &missed).size(), 8u);
  EXPECT_TRUE(absl::StrContains(missed.message(), "c|0|0|0"));
  Ids(kFile, {.resume = "a|0|0_0|0", .stop = "b|0|0|0"}, &missed);
  EXPECT_TRUE(missed.ok()) << missed;
}

TEST(RunItems, WhatCannotBeReadIsAnItemAndTheRestFollows) {
  EXPECT_EQ(Ids(R"({"a": 1, "b": {"config": [{"build": []}, {"input": [3, {"args": []}]}]},
                    "c": {"input_iterator": "No", "config": [{"input": []}]},
                    "d": {"build_iterator": "No", "config": [{"build": [{}], "input": []}, {"input": [{}]}]}})",
                {}),
            Texts({"a|0|0|0 INVALID_CONFIG", "b|0|0|0 INVALID_CONFIG", "b|1|0|0 INVALID_CONFIG",
                   "b|1|0|1", "c|0|0|0 UNKNOWN_ITERATOR", "d|0|0|0 UNKNOWN_ITERATOR", "d|1|0|0"}));
}

TEST(RunItems, WhatIsEmptyIsAnItemWithAProblem) {
  EXPECT_EQ(Ids(R"({"a": {}, "b": {"config": []}, "c": {"config": [{"input": []}, {"input": [{}]}]},
                    "d": {"config": [{"build": [{}, {}], "input": []}]}})",
                {}),
            Texts({"a|0|0|0 INVALID_CONFIG", "b|0|0|0 INVALID_CONFIG", "c|0|0|0 INVALID_CONFIG",
                   "c|1|0|0", "d|0|0|0 INVALID_CONFIG", "d|0|1|0 INVALID_CONFIG"}));
  EXPECT_EQ(
      Ids(R"({"a": {"input_iterator": "DummyConfigIterator", "config": [{"input": []}]}})", {}),
      Texts({"a|0|0|0"}));
}

TEST(RunItems, RunBatchKeepsTheIdsOfTheRunItWasTakenFrom) {
  EXPECT_EQ(Ids(R"({"op_name": "torch.add", "config_build_id": "1|2", "op_info": {"config": [
                    {"input": [{"id": "2_34", "args": []}, {"args": []}]}]}})",
                {}),
            Texts({"torch.add|1|2|2_34", "torch.add|1|2|1"}));
}

}  // namespace
}  // namespace assay::param

#include "benchmarks/operators/param/parsing/config_iterator.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

// Each configuration as "id compact JSON", or "id error".
std::vector<std::string> All(std::string_view name, const Json& elements,
                             const Json* build = nullptr) {
  const Elements list = {static_cast<int64_t>(elements.size()),
                         [&](int64_t i) { return elements[static_cast<size_t>(i)]; }};
  auto iterator = MakeConfigIterator(name, list, build);
  EXPECT_TRUE(iterator.ok()) << iterator.status();
  std::vector<std::string> all;
  while (std::optional<NextConfig> next = (*iterator)->Next()) {
    all.push_back(absl::StrCat(
        next->id, " ",
        next->config.ok() ? next->config->dump() : std::string(next->config.status().message())));
  }
  return all;
}

// The first argument's attribute of every combination of one element.
std::vector<std::string> Values(const Json& args, const std::string& pointer) {
  std::vector<std::string> values;
  for (const std::string& text : All("RangeConfigIterator", {{{"args", args}}})) {
    const std::string json = text.substr(text.find(' ') + 1);
    const Json config = Json::parse(json, nullptr, false);
    values.push_back(config.is_discarded() ? json : config[Json::json_pointer(pointer)].dump());
  }
  return values;
}

using Texts = std::vector<std::string>;

TEST(ConfigIterator, TheDefaultGivesElementsAsTheyStand) {
  EXPECT_EQ(All("", Json::parse(R"([{"args": []}, {"kwargs": {}}])")),
            Texts({R"(0 {"args":[]})", R"(1 {"kwargs":{}})"}));
  EXPECT_EQ(All("", Json::array()), Texts());
}

TEST(ConfigIterator, TheDummyGivesOneWithoutArguments) {
  EXPECT_EQ(All("DummyConfigIterator", Json::array()), Texts({R"(0 {"args":[],"kwargs":{}})"}));
}

TEST(ConfigIterator, AnUnknownNameIsRefusedWithTheNamesThereAre) {
  const auto made = MakeConfigIterator("RangedIterator", {}, nullptr);
  EXPECT_TRUE(absl::StrContains(made.status().message(), "\"RangedIterator\""));
  EXPECT_TRUE(absl::StrContains(made.status().message(), "RangeConfigIterator"));
}

TEST(ConfigIterator, RangesHoldBothEndsAndTheLastIsTheFastest) {
  const Json args = Json::parse(R"([{"type": "tensor", "dtype": "float",
      "shape": [[1, 2, 1], 7, [10, 15, 5]], "__range__": ["shape"]}])");
  EXPECT_EQ(Values(args, "/args/0/shape"), Texts({"[1,7,10]", "[1,7,15]", "[2,7,10]", "[2,7,15]"}));
  const Json down =
      Json::parse(R"([{"type": "int", "value": [5, 1, -2], "__range__": ["value"]}])");
  EXPECT_EQ(Values(down, "/args/0/value"), Texts({"5", "3", "1"}));
  const Json beyond =
      Json::parse(R"([{"type": "int", "value": [1, 6, 2], "__range__": ["value"]}])");
  EXPECT_EQ(Values(beyond, "/args/0/value"), Texts({"1", "3", "5"}));
}

TEST(ConfigIterator, MacrosAreGoneFromWhatIsGiven) {
  EXPECT_EQ(
      All("RangeConfigIterator", Json::parse(R"([{"args": [
                {"type": "int", "value": [1, 2, 1], "__range__": ["value"]}],
                "kwargs": {"b": {"type": "bool", "value": [true, false], "__range__": ["value"]}}}])")),
      Texts(
          {R"(0_0 {"args":[{"type":"int","value":1}],"kwargs":{"b":{"type":"bool","value":true}}})",
           R"(0_1 {"args":[{"type":"int","value":1}],"kwargs":{"b":{"type":"bool","value":false}}})",
           R"(0_2 {"args":[{"type":"int","value":2}],"kwargs":{"b":{"type":"bool","value":true}}})",
           R"(0_3 {"args":[{"type":"int","value":2}],"kwargs":{"b":{"type":"bool","value":false}}})"}));
}

TEST(ConfigIterator, EachElementCountsItsOwnCombinations) {
  const auto all = All("RangeConfigIterator", Json::parse(R"([{"args": []},
      {"args": [{"type": "tensor", "dtype": ["float", "bfloat16"], "shape": [2], "__range__": ["dtype"]}]}])"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].substr(0, 3), "0_0");
  EXPECT_EQ(all[1].substr(0, 3), "1_0");
  EXPECT_EQ(all[2].substr(0, 3), "1_1");
  EXPECT_TRUE(absl::StrContains(all[2], "bfloat16"));
}

TEST(ConfigIterator, ACopyTakesWhatTheRangesGave) {
  const Json args = Json::parse(R"([
      {"type": "tensor", "shape": [-1, [2, 3, 1]], "__range__": ["shape"],
       "__copy__": [{"shape": [0, [1, 1]]}]},
      {"type": "tensor", "shape": [-1, [8, 9, 1]], "__range__": ["shape"],
       "__copy__": [{"shape": [0, [0, 1]]}]}])");
  EXPECT_EQ(Values(args, "/args/0/shape"), Texts({"[8,2]", "[9,2]", "[8,3]", "[9,3]"}));
  EXPECT_EQ(Values(args, "/args/1/shape"), Texts({"[2,8]", "[2,9]", "[3,8]", "[3,9]"}));
}

TEST(ConfigIterator, ListsOfArgumentsHaveRangesInside) {
  const Json args = Json::parse(R"([{"type": "tuple", "__range__": ["value"], "value": [
      {"type": "int", "value": [1, 2, 1], "__range__": ["value"]}, {"type": "int", "value": 5}]}])");
  EXPECT_EQ(Values(args, "/args/0/value/0/value"), Texts({"1", "2"}));
}

TEST(ConfigIterator, AListOfChoicesTakesAnyAttribute) {
  const Json args =
      Json::parse(R"([{"type": "tensor", "shape": [[1], [2, 3]], "__list__": ["shape"]}])");
  EXPECT_EQ(Values(args, "/args/0/shape"), Texts({"[1]", "[2,3]"}));
}

TEST(ConfigIterator, WrongMacrosAreNamedByTheirPlace) {
  const auto error = [](const char* argument) {
    return Values(Json::array({Json::parse(argument)}), "/args")[0];
  };
  EXPECT_EQ(error(R"({"type": "int", "value": [1, 5, 0], "__range__": ["value"]})"),
            "/args/0/value: the range has step 0");
  EXPECT_EQ(error(R"({"type": "int", "value": [1, 5, -1], "__range__": ["value"]})"),
            "/args/0/value: the range from 1 to 5 has step -1, which leads away from its end");
  EXPECT_EQ(error(R"({"type": "tensor", "shape": [4, [1, 2]], "__range__": ["shape"]})"),
            "/args/0/shape/1: a range is three integers: [min, max, step]");
  EXPECT_EQ(error(R"({"type": "float", "value": [1, 5, 1], "__range__": ["value"]})"),
            "/args/0/value: an argument of type \"float\" has no range");
  EXPECT_EQ(error(R"({"type": "int", "__range__": ["value"]})"),
            "/args/0/__range__: names an attribute that is not there");
  EXPECT_EQ(error(R"({"type": "tensor", "shape": [-1], "__copy__": [{"shape": [0, [3, 0]]}]})"),
            "/args/0/__copy__: there is no such element: [0,[3,0]]");
}

TEST(ConfigIterator, AWrongElementIsOneErrorAndTheNextOneFollows) {
  const auto all = All("RangeConfigIterator", Json::parse(R"([
      {"args": [{"type": "int", "value": [1, 5, 0], "__range__": ["value"]}]}, {"args": []}])"));
  EXPECT_EQ(all, Texts({"0_0 /args/0/value: the range has step 0", R"(1_0 {"args":[]})"}));
}

TEST(ConfigIterator, AHundredThousandCombinationsAreIterated) {
  const Json elements = Json::parse(R"([{"args": [
      {"type": "int", "value": [1, 100, 1], "__range__": ["value"]},
      {"type": "int", "value": [1, 1000, 1], "__range__": ["value"]}]}])");
  auto iterator =
      MakeConfigIterator("RangeConfigIterator", {1, [&](int64_t) { return elements[0]; }}, nullptr);
  int64_t count = 0;
  std::string last;
  while (std::optional<NextConfig> next = (*iterator)->Next()) ++count, last = next->id;
  EXPECT_EQ(count, 100'000);
  EXPECT_EQ(last, "0_99999");
}

TEST(ConfigIterator, AnEmbeddingsInputsStandBetweenItsBuildsArguments) {
  const Json build = Json::parse(R"({"args": [1, 2, 3, 4, 5, 6]})");
  const Json elements = Json::parse(R"([{"args": [
      {"type": "int", "value": [8, 16, 8], "__range__": ["value"]}, {"type": "int", "value": 50}]}])");
  EXPECT_EQ(
      All("SplitTableBatchedEmbeddingBagsCodegenInputIterator", elements, &build),
      Texts(
          {R"(0_0 {"args":[1,2,3,{"type":"int","value":8},{"type":"int","value":50},5,6],"kwargs":{}})",
           R"(0_1 {"args":[1,2,3,{"type":"int","value":16},{"type":"int","value":50},5,6],"kwargs":{}})"}));
}

}  // namespace
}  // namespace assay::param

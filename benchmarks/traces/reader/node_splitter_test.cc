#include "benchmarks/traces/reader/node_splitter.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kText[] =
    R"( {"schema": "1.1.1", "of": {"a": [{}]}, "nodes": [ {"a": [{"b": "}\"]{"}]} , {} ], "end": 1}
)";

std::vector<std::string> Split(std::string_view text, size_t piece, NodeSplitter** kept = nullptr) {
  std::vector<std::string> nodes;
  auto* splitter = new NodeSplitter([&](std::string_view node) {
    nodes.emplace_back(node);
    return absl::OkStatus();
  });
  for (size_t at = 0; at < text.size(); at += piece)
    EXPECT_TRUE(splitter->Feed(text.substr(at, piece)).ok());
  if (kept != nullptr)
    *kept = splitter;
  else
    delete splitter;
  return nodes;
}

TEST(NodeSplitter, GivesTheSameNodesForPiecesOfAnySize) {
  for (size_t piece = 1; piece < sizeof(kText); ++piece)
    EXPECT_THAT(Split(kText, piece), ElementsAre(R"({"a": [{"b": "}\"]{"}]})", "{}")) << piece;
}

TEST(NodeSplitter, KeepsTheHeaderAsJson) {
  NodeSplitter* splitter = nullptr;
  Split(kText, 7, &splitter);
  EXPECT_EQ(splitter->Header(),
            " {\"schema\": \"1.1.1\", \"of\": {\"a\": [{}]}, \"nodes\": [], \"end\": 1}\n");
  EXPECT_TRUE(splitter->Whole());
  delete splitter;
}

TEST(NodeSplitter, ListsOfOtherNamesHaveNoNodes) {
  NodeSplitter* splitter = nullptr;
  EXPECT_THAT(
      Split(R"({"deviceProperties": [{"id": 0}], "traceEvents" : [{"a": 1}]})", 3, &splitter),
      ElementsAre(R"({"a": 1})"));
  EXPECT_EQ(splitter->Header(), R"({"deviceProperties": [{"id": 0}], "traceEvents" : []})");
  delete splitter;
}

TEST(NodeSplitter, SaysThatTheTextIsTorn) {
  NodeSplitter* splitter = nullptr;
  EXPECT_THAT(Split(R"({"nodes": [{"a": 1}, {"a)", 5, &splitter), ElementsAre(R"({"a": 1})"));
  EXPECT_FALSE(splitter->Whole());
  delete splitter;
}

TEST(NodeSplitter, RefusesOtherTexts) {
  NodeSplitter splitter([](std::string_view) { return absl::OkStatus(); });
  EXPECT_THAT(std::string(splitter.Feed("<html>").message()), HasSubstr("does not begin"));
  NodeSplitter other([](std::string_view) { return absl::OkStatus(); });
  EXPECT_THAT(std::string(other.Feed("{}]").message()), HasSubstr("closes a bracket"));
  NodeSplitter deep([](std::string_view) { return absl::OkStatus(); });
  EXPECT_THAT(std::string(deep.Feed(std::string(1, '{') + std::string(1000, '[')).message()),
              HasSubstr("nested deeper"));
  NodeSplitter endless([](std::string_view) { return absl::OkStatus(); });
  EXPECT_FALSE(endless.Feed("{\"" + std::string(2 << 20, 'x')).ok());
}

}  // namespace
}  // namespace assay::traces

#include "benchmarks/operators/param/parsing/config_file.h"

#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

std::string Error(std::string_view text) {
  return std::string(ConfigFile::Parse("f.json", text).status().message());
}

TEST(ConfigFile, FindsEveryListAndReadsAnElementWhenAskedForIt) {
  const std::string text = R"({
  "torch.add": {"config": [{"input": [{"args": [1]}, {"args": [22], "kwargs": {"a": [{}]}}]},
                           {"build": [], "input": []},
                           {"build": null}],
                "input_iterator": "RangeConfigIterator", "build_iterator": null},
  "aten::mm": {"input_data_generator": "G", "config": []}})";
  const auto file = ConfigFile::Parse("f.json", text);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto& operators = (*file)->operators();
  ASSERT_EQ(operators.size(), 2u);
  EXPECT_EQ(operators[0].name, "torch.add");
  EXPECT_EQ(operators[0].input_iterator, "RangeConfigIterator");  // stands after "config"
  EXPECT_EQ(operators[0].build_iterator, "");
  EXPECT_EQ(operators[1].input_data_generator, "G");
  const auto& configs = operators[0].configs;
  ASSERT_EQ(configs.size(), 3u);
  EXPECT_FALSE(configs[0].build.has_value());
  ASSERT_EQ(configs[0].input->size(), 2u);
  EXPECT_EQ(*(*file)->Read((*configs[0].input)[1]),
            Json::parse(R"({"args": [22], "kwargs": {"a": [{}]}})"));
  EXPECT_EQ(configs[1].build->size(), 0u);
  EXPECT_FALSE(configs[2].build.has_value());
  EXPECT_FALSE(configs[2].input.has_value());
}

TEST(ConfigFile, MalformedJsonIsNamedByLineAndColumn) {
  EXPECT_TRUE(absl::StartsWith(Error("{\n \"torch.add\": {,"), "f.json:2:16: "))
      << Error("{\n \"torch.add\": {,");
  EXPECT_FALSE(Error("").empty());
  EXPECT_FALSE(Error("{} x").empty());
  EXPECT_FALSE(Error("{\"a\": {\"config\": [{\"input\": [{\"args\": [1e999]}]}]}}").empty());
  EXPECT_FALSE(Error("{\"a\": \"\xff\"}").empty());
  EXPECT_TRUE(absl::StrContains(Error("[]"), "want an object of operators")) << Error("[]");
}

TEST(ConfigFile, AKeyThatStandsTwiceIsRefusedWithBothPlaces) {
  EXPECT_EQ(Error("{\"a\": {\"config\": []},\n\"a\": {}}"),
            "f.json:2:1: \"a\" stands already at f.json:1:2");
  EXPECT_EQ(Error(R"({"op_name": "a", "op_name": "b"})"),
            "f.json:1:18: \"op_name\" stands already at f.json:1:2");
  EXPECT_EQ(Error(R"({"run_options": {"seed": 1, "seed": 2}})"),
            "f.json:1:29: \"seed\" stands already at f.json:1:18");
  const std::string text = R"({"a": {"config": [], "config": []},
 "b": {"config": [{"input": [], "input": []}]},
 "c": {"config": [{"input": [{"args": [{"type": "int", "type": "str"}]}]}]},
 "d": {"note": [{"x": 1, "x": 2}], "config": []},
 "e": {"config": [{"input": [{"args": []}, {"args": [], "kwargs": {"a": {}, "b": {"a": 1}}}]}]}})";
  const auto file = ConfigFile::Parse("f.json", text);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto& operators = (*file)->operators();
  EXPECT_EQ(operators[0].problem, "f.json:1:22: \"config\" stands already at f.json:1:8");
  EXPECT_EQ(operators[1].problem, "f.json:2:33: \"input\" stands already at f.json:2:20");
  EXPECT_EQ(operators[2].problem, "f.json:3:56: \"type\" stands already at f.json:3:41");
  EXPECT_EQ(operators[3].problem, "f.json:4:26: \"x\" stands already at f.json:4:18");
  EXPECT_TRUE(operators[4].problem.empty()) << operators[4].problem;
}

TEST(ConfigFile, AWrongShapeIsTheProblemOfItsOperatorAlone) {
  const auto file = ConfigFile::Parse(
      "f.json", R"({"a": 1, "b": {"config": {}}, "c": {"config": [7]}, "d": {"config": []}})");
  ASSERT_TRUE(file.ok()) << file.status();
  const auto& operators = (*file)->operators();
  ASSERT_EQ(operators.size(), 4u);
  EXPECT_FALSE(operators[0].problem.empty());
  EXPECT_EQ(operators[1].problem, "f.json:1:26: \"config\" is a list");
  EXPECT_FALSE(operators[2].problem.empty());
  EXPECT_TRUE(operators[3].problem.empty());
}

TEST(ConfigFile, AKeyThatNoOperatorAndNoConfigurationHasIsNamedByItsPlace) {
  const auto file = ConfigFile::Parse("f.json", R"({"a": {"configs": [{"input": []}]},
 "b": {"config": [{"inputs": []}]}, "c": {"comment": "x", "config": [{"_why": 1, "input": []}]},
 "d": {"config": [], "zzzzzzzz": {"config": 1}}})");
  ASSERT_TRUE(file.ok()) << file.status();
  const auto& operators = (*file)->operators();
  EXPECT_EQ(operators[0].problem,
            "f.json:1:8: there is no key \"configs\"; there are config, "
            "build_iterator, input_iterator, build_data_generator, input_data_generator");
  EXPECT_EQ(operators[1].problem,
            "f.json:2:20: there is no key \"inputs\"; there are build, input");
  EXPECT_EQ(operators[2].problem, "");
  EXPECT_TRUE(absl::StartsWith(operators[3].problem, "f.json:3:22: there is no key \"zzzzzzzz\";"))
      << operators[3].problem;
}

TEST(ConfigFile, AFileWithoutOperatorsIsRefused) {
  EXPECT_EQ(Error("{}"), "f.json:1:1: holds no operators: {\"torch.add\": {...}}");
  EXPECT_EQ(Error(R"({"run_options": {"seed": 1}})"), Error("{}"));
  // An execution trace, of which the test states what decides.
  EXPECT_EQ(
      Error("{\"schema\": \"1.0.1\", \"pid\": 1,\n\"nodes\": [{\"name\": \"aten::add\"}]}"),
      "f.json:2:1: this is an execution trace, schema \"1.0.1\"; wanted are configurations of "
      "operators: {\"torch.add\": {\"config\": [...]}}");
}

TEST(ConfigFile, AnElementThatIsNoObjectIsNamedByItsPlace) {
  const std::string text =
      R"({"a": {"config": [{"input": [{"args": []}, 5, [[{}]], {"args": [3]}]}]}})";
  const auto file = ConfigFile::Parse("f.json", text);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto& input = *(*file)->operators()[0].configs[0].input;
  ASSERT_EQ(input.size(), 4u);
  EXPECT_TRUE(absl::StartsWith((*file)->Read(input[1]).status().message(), "f.json:1:4"));
  EXPECT_FALSE((*file)->Read(input[2]).ok());
  EXPECT_EQ((*(*file)->Read(input[3]))["args"][0], 3);
}

TEST(ConfigFile, ReadsWhatRunBatchIsGiven) {
  const auto file =
      ConfigFile::Parse("f.json", R"({"op_name": "torch.add", "config_build_id": "1|2",
      "op_info": {"config": [{"build": {"args": []}, "input": [{"id": "2_34", "args": []}]}]},
      "run_options": {"device": "cuda"}})");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ((*file)->operators().size(), 1u);
  const OperatorEntry& entry = (*file)->operators()[0];
  EXPECT_EQ(entry.name, "torch.add");
  EXPECT_EQ(entry.config_build_id, "1|2");
  ASSERT_EQ(entry.configs[0].build->size(), 1u);
  EXPECT_EQ(*(*file)->Read((*entry.configs[0].build)[0]), Json::parse(R"({"args": []})"));
}

}  // namespace
}  // namespace assay::param

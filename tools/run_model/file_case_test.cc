#include "tools/run_model/file_case.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "defs/case/written_inputs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/run_model/input_specs.h"

namespace assay::run_model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr char kData[] = "tools/run_model/testdata/";

// Written by Python: testdata/write.py.
ModelFile Named(const std::string& name, const std::vector<std::string>& specs = {},
                const std::string& inputs = "") {
  const std::string path = absl::StrCat(kData, name);
  ModelFile model = {.path = path, .kind = *KindOf(path, "")};
  for (const std::string& spec : specs) model.specs.push_back(*ParseInputSpec(spec));
  if (!inputs.empty()) model.inputs = absl::StrCat(kData, inputs);
  return model;
}

std::string Problem(const ModelFile& model) {
  const absl::StatusOr<ResolvedCase> c = CaseOfFile(model);
  EXPECT_TRUE(absl::IsInvalidArgument(c.status())) << c.status();
  return std::string(c.status().message());
}

TEST(CaseOfFile, FindsWhatAScriptReturns) {
  const absl::StatusOr<ResolvedCase> c =
      CaseOfFile(Named("steps.pt", {"steps:int64[5]<4", "x:fp32[5,3]"}));
  ASSERT_TRUE(c.ok()) << c.status();
  EXPECT_EQ(c->benchmark_case().name(), "steps");
  EXPECT_EQ(c->benchmark_case().execution().backend(), "torchscript");
  EXPECT_EQ(c->benchmark_case().verify().rms_limit(), 1e-5);
  EXPECT_EQ(c->measured().batch(), 5);
  EXPECT_EQ(c->measured().inputs(0).name(), "x");  // forward's order, not the command line's
  ASSERT_EQ(c->measured().outputs_size(), 3);
  EXPECT_THAT(c->measured().outputs(0).shape(), ElementsAre(5, 4));
  EXPECT_EQ(c->measured().outputs(1).name(), "output_1");
  EXPECT_EQ(c->measured().outputs(1).dtype(), INT64);
  EXPECT_EQ(c->measured().outputs(1).rule(), EXACT);
}

TEST(CaseOfFile, AnExportedGraphSaysWhatItsInputsAre) {
  const absl::StatusOr<ResolvedCase> c = CaseOfFile(Named("bag.pt2"));
  ASSERT_TRUE(c.ok()) << c.status();
  EXPECT_EQ(c->benchmark_case().execution().backend(), "exported");
  EXPECT_EQ(c->measured().inputs(0).dtype(), INT64);
  EXPECT_THAT(c->measured().inputs(1).shape(), ElementsAre(2, 3));
}

TEST(CaseOfFile, GivenInputsSayHowFarWholeNumbersGo) {
  const absl::StatusOr<ResolvedCase> c = CaseOfFile(Named("bag.pt2", {}, "bag_inputs.safetensors"));
  ASSERT_TRUE(c.ok()) << c.status();
  EXPECT_EQ(c->measured().inputs(0).distribution().integers().limit(), 11);
}

TEST(CaseOfFile, SeesWhichInputsACallWritesTo) {
  const absl::StatusOr<ResolvedCase> c =
      CaseOfFile(Named("writes.pt", {"x:fp32[2,3]", "state:fp32[2,3]"}));
  ASSERT_TRUE(c.ok()) << c.status();
  EXPECT_EQ(WrittenInputs(c->measured()), "state");
  EXPECT_TRUE(c->steps(0).prepared());
  const absl::StatusOr<ResolvedCase> other = CaseOfFile(Named("bag.pt2"));
  EXPECT_EQ(WrittenInputs(other->measured()), "");
  EXPECT_FALSE(other->steps(0).prepared());
}

TEST(CaseOfFile, SeesWhatACallChangesInTheModuleItself) {
  const absl::StatusOr<ResolvedCase> c =
      CaseOfFile(Named("recalls.pt", {}, "recalls_inputs.safetensors"));
  ASSERT_TRUE(c.ok()) << c.status();
  EXPECT_EQ(WrittenState(c->measured()), "seen, state");
  EXPECT_EQ(WrittenInputs(c->measured()), "");
  EXPECT_TRUE(c->steps(0).prepared());
  const absl::StatusOr<ResolvedCase> other =
      CaseOfFile(Named("steps.pt", {}, "steps_inputs.safetensors"));
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(WrittenState(other->measured()), "");
}

TEST(CaseOfFile, SeesWhereOnlyTheGivenInputsWork) {
  const auto fixed = [](const std::string& name) {
    const absl::StatusOr<ResolvedCase> c =
        CaseOfFile(Named(absl::StrCat(name, ".pt"), {}, absl::StrCat(name, "_inputs.safetensors")));
    EXPECT_TRUE(c.ok()) << c.status();
    return c.ok() ? FixedInputs(c->measured()) : "";
  };
  EXPECT_EQ(fixed("repeats"),
            "a call of drawn inputs fails: builtins.ValueError: times must be whole");
  EXPECT_EQ(fixed("picks"), "") << "whole numbers are not drawn";
  EXPECT_EQ(fixed("writes"), "");
}

TEST(CaseOfFile, LeavesOutArgumentsWithDefaults) {
  const absl::StatusOr<ResolvedCase> c =
      CaseOfFile(Named("masks.pt", {"mask:fp32[1,3]", "x:fp32[2,3]"}));
  ASSERT_TRUE(c.ok()) << c.status();
  ASSERT_EQ(c->measured().inputs_size(), 2);
  EXPECT_EQ(c->measured().inputs(1).name(), "mask");
  EXPECT_THAT(Problem(Named("masks.pt", {"mask:fp32[1,3]"})),
              HasSubstr("'x:fp32[SIZES]' for each of x"));
}

TEST(CaseOfFile, SaysWhatDoesNotFit) {
  EXPECT_THAT(Problem(Named("steps.pt")), HasSubstr("'x:fp32[SIZES]' for each of x, steps"));
  EXPECT_THAT(Problem(Named("steps.pt", {"x:fp32[5,3]"})),
              HasSubstr("'steps:fp32[SIZES]' for each of x, steps"));
  EXPECT_THAT(Problem(Named("steps.pt", {"x:fp32[5,3]", "y:fp32[1]"})),
              HasSubstr("y:…: the file has the inputs x, steps"));
  EXPECT_THAT(Problem(Named("bag.pt2", {"ids:int64[2,4]"})),
              HasSubstr("cannot be called with int64[2,4] float32[2,3]"));
  EXPECT_THAT(Problem(Named("bag.pt2", {"ids:int64[2,3]<99"})), HasSubstr("calling it once: "));
  // The reason comes first, before what TorchScript quotes.
  EXPECT_THAT(
      Problem(Named("nests.pt",
                    {"batch.c:fp32[2]", "pair.0:fp32[2,3]", "pair.1:int64[]", "more.0:fp32[1]"})),
      MatchesRegex(
          "[^\n]*nests.pt: calling it once: RuntimeError: KeyError: a.b; its inputs were "
          "batch.c:float32\\[2\\], [^\n]*; the file has the inputs batch, pair, more; give [^\n]*\n"
          "The following operation failed(.|\n)*"));
  EXPECT_THAT(
      Problem(Named("nests.pt", {}, "bag_inputs.safetensors")),
      HasSubstr("bag_inputs.safetensors: the argument batch is of type Dict[str, Tensor]: give its "
                "tensors by dotted names"));
  EXPECT_THAT(Problem(Named("bag.pt2", {}, "steps_inputs.safetensors")),
              HasSubstr("missing \"ids\""));
  EXPECT_THAT(Problem(Named("bag.pt2", {"ids:int64[2,3]"}, "bag_inputs.safetensors")),
              HasSubstr("not with --inputs"));
}

}  // namespace
}  // namespace assay::run_model

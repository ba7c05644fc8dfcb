#include "benchmarks/harness/runner/verdict/saved_outputs.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include <cmath>

#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

class SavedOutputsTest : public ::testing::Test {
 protected:
  Environment environment() const {
    Environment e;
    e.set_torch_version("2.11.0");
    e.set_git_commit("0123456789ab");
    e.set_git_dirty(true);
    return e;
  }
  // The error of reading the file as it is now.
  std::string Problem(const ResolvedCase& c) const {
    return std::string(ReadSavedOutputs(file_, c).status().message());
  }

  const std::string file_ = tensor_files::TestFolder() + "/before.safetensors";
  const ResolvedCase case_ = SmallMlpCase();
  const at::Tensor output_ = at::tensor({1.0F, -0.0F, NAN, 1e-40F, 5.0F, 6.0F}).view({2, 3});
};

TEST_F(SavedOutputsTest, ComeBackBitForBitWithTheirOrigin) {
  ASSERT_TRUE(SaveOutputs(file_, case_, {output_.t().contiguous().t()}, PASS, environment()).ok());
  const absl::StatusOr<SavedOutputs> saved = ReadSavedOutputs(file_, case_);
  ASSERT_TRUE(saved.ok()) << saved.status();
  ASSERT_EQ(saved->outputs.size(), 1u);
  EXPECT_TRUE(at::equal(saved->outputs[0].view(at::kInt), output_.view(at::kInt)));
  EXPECT_EQ(saved->Origin(), "eager, torch 2.11.0, commit 01234567-dirty");
  EXPECT_EQ(saved->metadata.at("outcome"), "PASS");
}

TEST_F(SavedOutputsTest, AreRefusedWithThePlaceWhereTheyAreNotTheCases) {
  ASSERT_TRUE(SaveOutputs(file_, case_, {output_}, PASS, environment()).ok());
  ResolvedCase c = case_;
  c.mutable_benchmark_case()->set_name("mlp_fp64_b2");
  EXPECT_THAT(Problem(c), HasSubstr("before.safetensors: holds outputs of mlp_fp32_b2, this is "
                                    "mlp_fp64_b2"));
  c = case_;
  c.mutable_benchmark_case()->set_seed(7);
  EXPECT_THAT(Problem(c), HasSubstr("of seed 0, the case's is 7"));
  c = case_;
  c.mutable_verified()->mutable_outputs(0)->set_shape(0, 4);
  EXPECT_THAT(Problem(c), HasSubstr("output \"probabilities\" has shape [2, 3], the case's is [4, "
                                    "3]; saved with another --batch?"));
  c = case_;
  c.mutable_verified()->add_outputs()->set_name("hidden");
  EXPECT_THAT(Problem(c), HasSubstr("output \"hidden\" is missing"));
  c = case_;
  c.mutable_verified()->clear_outputs();
  EXPECT_THAT(Problem(c), HasSubstr("holds 1 outputs, the case has 0"));
}

TEST_F(SavedOutputsTest, OtherFilesAreRefused) {
  EXPECT_TRUE(absl::IsNotFound(ReadSavedOutputs(file_, case_).status()));
  ASSERT_TRUE(tensor_files::WriteTensors(file_, {{"probabilities", output_}}, {}).ok());
  EXPECT_THAT(Problem(case_), HasSubstr("holds no outputs that --save-outputs wrote"));
  ASSERT_TRUE(tensor_files::WriteFileAtomically(file_, "no tensors").ok());
  EXPECT_TRUE(absl::IsDataLoss(ReadSavedOutputs(file_, case_).status()));
}

TEST_F(SavedOutputsTest, AProgramWithOtherOutputsIsNotSaved) {
  EXPECT_FALSE(SaveOutputs(file_, case_, {}, PASS, environment()).ok());
  EXPECT_TRUE(absl::IsNotFound(ReadSavedOutputs(file_, case_).status()));
}

TEST_F(SavedOutputsTest, AFolderMeansAFileOfTheCasesName) {
  EXPECT_EQ(OutputsFile("out", "mlp_fp32_b2"), "out/mlp_fp32_b2.safetensors");
  EXPECT_EQ(OutputsFile("out/", "mlp_fp32_b2"), "out/mlp_fp32_b2.safetensors");
  EXPECT_EQ(OutputsFile("a.safetensors", "mlp_fp32_b2"), "a.safetensors");
  ASSERT_TRUE(tensor_files::WriteFileAtomically(file_ + ".txt", "x").ok());
  EXPECT_EQ(OutputsFile(file_ + ".txt", "mlp_fp32_b2"), file_ + ".txt") << "no folder";
  EXPECT_TRUE(CheckFolderOf("a.safetensors").ok());
  EXPECT_TRUE(CheckFolderOf(file_).ok());
  EXPECT_THAT(CheckFolderOf("/no/such/folder/x.safetensors").message(),
              HasSubstr("there is no folder /no/such/folder; make it"));
}

}  // namespace
}  // namespace assay::runner

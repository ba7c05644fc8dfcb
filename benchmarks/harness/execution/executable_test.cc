#include "benchmarks/harness/execution/executable.h"

#include <ATen/Context.h>

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

// CUBLAS_WORKSPACE_CONFIG as a user set it, for the time of a test.
class CublasVariable : public testing::Test {
 protected:
  CublasVariable() { Set(nullptr); }
  ~CublasVariable() override { Set(nullptr); }
  static void Set(const char* value) {
    if (value == nullptr) {
      unsetenv("CUBLAS_WORKSPACE_CONFIG");
    } else {
      setenv("CUBLAS_WORKSPACE_CONFIG", value, 1);
    }
  }
  static std::string Value() {
    const char* value = std::getenv("CUBLAS_WORKSPACE_CONFIG");
    return value == nullptr ? "unset" : value;
  }
  static absl::Status Prepare(bool deterministic, bool shared = false) {
    Execution execution;
    execution.set_deterministic(deterministic);
    return PrepareCublas(execution, shared);
  }
};

TEST_F(CublasVariable, IsSetForADeterministicExecutionAlone) {
  EXPECT_TRUE(Prepare(false).ok());
  EXPECT_EQ(Value(), "unset");
  EXPECT_TRUE(Prepare(true).ok());
  EXPECT_EQ(Value(), ":4096:8");
  EXPECT_TRUE(Prepare(true, /*shared=*/true).ok()) << "the first run of the process has set it";
}

TEST_F(CublasVariable, OfTheUserIsKeptWhereItIsDeterministic) {
  Set(":16:8");
  EXPECT_TRUE(Prepare(true).ok());
  EXPECT_EQ(Value(), ":16:8");
  for (const char* other : {":4096:2:16:8", ":0:0", ""}) {
    Set(other);
    EXPECT_TRUE(Prepare(false).ok());
    const absl::Status refused = Prepare(true);
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << other;
    EXPECT_THAT(refused.message(), testing::HasSubstr(absl::StrCat("is '", other, "'")));
    EXPECT_THAT(refused.message(), testing::HasSubstr("set it to :4096:8 or :16:8"));
    EXPECT_EQ(Value(), other);
  }
}

TEST_F(CublasVariable, CannotBeSetOnceCublasHasRead) {
  const absl::Status refused = Prepare(true, /*shared=*/true);
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
  EXPECT_THAT(refused.message(), testing::HasSubstr("a process of its own"));
  EXPECT_EQ(Value(), "unset");
}

// What LibTorch rounds float32 to, read as the record reads it.
struct Rounding {
  bool tf32_matmul, tf32_cudnn;
  at::Float32Precision cpu_matmul, cpu_conv;
};

Rounding RoundingUnder(MatmulPrecision precision) {
  Execution execution;
  execution.set_matmul_precision(precision);
  ApplyToProcess(execution);
  const at::Context& context = at::globalContext();
  const auto on_cpu = [&](at::Float32Op op) {
    return context.float32Precision(at::Float32Backend::MKLDNN, op);
  };
  const Rounding rounding = {context.allowTF32CuBLAS(), context.allowTF32CuDNN(),
                             on_cpu(at::Float32Op::MATMUL), on_cpu(at::Float32Op::CONV)};
  ApplyToProcess({});
  return rounding;
}

TEST(ApplyToProcess, RoundsFloat32ToTf32OnCudaOnlyWhereItIsAskedTo) {
  for (const MatmulPrecision precision : {MATMUL_PRECISION_UNSPECIFIED, HIGHEST}) {
    EXPECT_FALSE(RoundingUnder(precision).tf32_matmul);
    EXPECT_FALSE(RoundingUnder(precision).tf32_cudnn) << "unlike PyTorch's default";
  }
  for (const MatmulPrecision precision : {HIGH, MEDIUM}) {
    EXPECT_TRUE(RoundingUnder(precision).tf32_matmul);
    EXPECT_TRUE(RoundingUnder(precision).tf32_cudnn);
  }
}

// What RoundingOf() (defs/case/execution_names.h) says of LibTorch 2.11.0. On a CPU its permission to round
// to TF32 is used where the CPU has AMX-FP16.
TEST(ApplyToProcess, RoundsOnTheCpuProductsAlone) {
  EXPECT_EQ(RoundingUnder(HIGH).cpu_matmul, at::Float32Precision::TF32);
  EXPECT_EQ(RoundingUnder(MEDIUM).cpu_matmul, at::Float32Precision::BF16);
  for (const MatmulPrecision precision : {HIGHEST, HIGH, MEDIUM}) {
    EXPECT_NE(RoundingUnder(precision).cpu_conv, at::Float32Precision::BF16);
    EXPECT_NE(RoundingUnder(precision).cpu_conv, at::Float32Precision::TF32);
  }
  EXPECT_NE(RoundingUnder(HIGHEST).cpu_matmul, at::Float32Precision::BF16);
  EXPECT_NE(RoundingUnder(HIGHEST).cpu_matmul, at::Float32Precision::TF32);
}

TEST(ExecutionText, SaysWhatIsNotTheDefault) {
  Execution execution;
  EXPECT_EQ(ExecutionText(execution), "eager");
  execution.set_memory_format(CHANNELS_LAST);
  execution.set_autocast(BF16);
  execution.set_matmul_precision(HIGH);
  execution.set_deterministic(true);
  EXPECT_EQ(ExecutionText(execution),
            "eager, channels_last, autocast bf16, matmul precision high, deterministic");
}

}  // namespace
}  // namespace assay::execution

#include "benchmarks/harness/environment/torch_facts.h"

#include "ATen/Context.h"
#include "ATen/Parallel.h"
#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

TEST(AddTorchFacts, SaysWhichLibTorchRuns) {
  Environment e;
  AddTorchFacts(e);
  EXPECT_EQ(e.torch_version().substr(0, 2), "2.");
  EXPECT_NE(e.cpu_capability(), "");
  EXPECT_EQ(e.threads(), at::get_num_threads());
}

TEST(AddTorchFacts, KeepsTheThreadsGiven) {
  Environment e;
  e.set_threads(3);
  AddTorchFacts(e);
  EXPECT_EQ(e.threads(), 3);
}

TEST(AddTorchFacts, FollowsTheTf32Switches) {
  for (bool on : {true, false}) {
    at::globalContext().setAllowTF32CuBLAS(on);
    at::globalContext().setAllowTF32CuDNN(on);
    Environment e;
    AddTorchFacts(e);
    EXPECT_EQ(e.tf32_matmul(), on);
    EXPECT_EQ(e.tf32_cudnn(), on);
  }
}

}  // namespace
}  // namespace assay::environment

#include "benchmarks/operators/judge/argument_memory.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sigmoid.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::operators {
namespace {

Callable Bound(const std::string& name, std::vector<c10::IValue> arguments) {
  const absl::StatusOr<execution::BoundOperator> bound =
      execution::BindOperator(name, {.positional = std::move(arguments)});
  EXPECT_TRUE(bound.ok()) << bound.status();
  return CallableOf(*bound);
}

TEST(ArgumentState, NamesTheArgumentThatWasWrittenTo) {
  at::Tensor a = at::randn({4}), b = at::randn({4});
  const Callable add = Bound("aten::add.Tensor", {a, b});
  const ArgumentState before(add);
  EXPECT_EQ(before.Change(add), "");
  b[3] += 1;
  EXPECT_EQ(before.Change(add), "argument 'other' holds other numbers after the call");
  b[3] -= 1;
  a.unsqueeze_(0);
  EXPECT_EQ(before.Change(add),
            "argument 'self' has another shape, stride or dtype after the call");
}

TEST(ArgumentState, SeesNanAndMemoryBesideAView) {
  const at::Tensor whole = at::full({8}, std::nan("")), view = whole.slice(0, 0, 4);
  const Callable relu = Bound("aten::relu", {view});
  const ArgumentState before(relu);
  EXPECT_EQ(before.Change(relu), "") << "NaN is what it was";
  whole[7] = 1;
  EXPECT_NE(before.Change(relu), "");
}

TEST(ArgumentState, LooksIntoListsAndSparseAndOneDnnTensors) {
  at::Tensor listed = at::ones({2});
  const Callable cat = Bound("aten::cat", {std::vector<at::Tensor>{at::ones({2}), listed}});
  const ArgumentState before_cat(cat);
  listed.mul_(2);
  EXPECT_EQ(before_cat.Change(cat), "argument 'tensors'[1] holds other numbers after the call");
  for (const at::Tensor& tensor :
       {at::eye(3).to_sparse(), at::eye(3).to_sparse_csr(), at::eye(3).to_mkldnn()}) {
    const Callable bound = Bound("aten::relu", {tensor});
    const ArgumentState before(bound);
    EXPECT_EQ(before.Change(bound), "");
    tensor.is_mkldnn() ? at::sigmoid_(const_cast<at::Tensor&>(tensor)) : tensor.values().mul_(2);
    EXPECT_EQ(before.Change(bound), "argument 'self' holds other numbers after the call");
  }
}

TEST(SharedMemory, NamesResultAndArgument) {
  const at::Tensor a = at::randn({4, 4}), b = at::randn({4, 4});
  const Callable add = Bound("aten::add.Tensor", {a, b});
  EXPECT_EQ(SharedMemory({a + b}, add), "");
  EXPECT_EQ(SharedMemory({a}, add), "result 0 lies in the memory of argument 'self'");
  EXPECT_EQ(SharedMemory({a + b, b.t()}, add), "result 1 lies in the memory of argument 'other'");
  const std::vector<at::Tensor> list = {a + b, b[2]};
  EXPECT_EQ(SharedMemory({list}, add), "result 0[1] lies in the memory of argument 'other'");
  EXPECT_EQ(SharedMemory({b.slice(0, 0, 0)}, add), "") << "no byte of it";
  EXPECT_EQ(SharedMemory({at::Tensor(), 2}, add), "");
  const at::Tensor same_bytes = at::from_blob(a.data_ptr(), {2});
  EXPECT_NE(SharedMemory({same_bytes}, add), "");
}

TEST(SharedMemory, SeesPartsOfSparseAndWholeOneDnnTensors) {
  const at::Tensor sparse = at::eye(3).to_sparse(), other = at::eye(3).to_mkldnn();
  const Callable add = Bound("aten::add.Tensor", {sparse, other});
  EXPECT_EQ(SharedMemory({sparse._values()}, add),
            "result 0 lies in the memory of argument 'self'");
  EXPECT_EQ(SharedMemory({other}, add), "result 0 lies in the memory of argument 'other'");
  EXPECT_EQ(SharedMemory({sparse.clone(), other.clone()}, add), "");
}

TEST(SharedMemory, OfTwoCalls) {
  const at::Tensor kept = at::ones({2});
  const c10::Stack first = {at::ones({2}), kept}, second = {at::ones({2}), kept};
  EXPECT_EQ(SharedMemory(second, first), "result 1 lies in the memory of result 1 of another call");
  EXPECT_EQ(SharedMemory({at::ones({2})}, first), "");
}

}  // namespace
}  // namespace assay::operators

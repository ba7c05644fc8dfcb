#include "benchmarks/harness/base/tensor_memory.h"

#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <c10/util/Exception.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::base {
namespace {

at::Tensor Bytes(int64_t count) { return at::empty({count}, at::kByte); }

TEST(TensorMemory, CountsWhatIsAllocatedFreedAndAlive) {
  const TensorMemory memory;
  const at::Tensor kept = Bytes(1000);
  at::Tensor freed = Bytes(500);
  freed.reset();
  const at::Tensor last = Bytes(30);
  const TensorMemoryCounts counts = memory.Counts();
  EXPECT_EQ(counts.allocations, 3);
  EXPECT_EQ(counts.allocated_bytes, 1530);
  EXPECT_EQ(counts.freed_bytes, 500);
  EXPECT_EQ(counts.AliveBytes(), 1030);
  EXPECT_EQ(counts.peak_bytes, 1500);
}

TEST(TensorMemory, SeesTemporariesBetweenAndInsideOfOperators) {
  const at::Tensor x = at::ones({1000}), y = at::ones({1000});
  {
    const TensorMemory memory;
    const at::Tensor z = at::add(at::mul(x, y), y);
    EXPECT_EQ(memory.Counts().peak_bytes, 8000);
    EXPECT_EQ(memory.Counts().AliveBytes(), 4000);
  }
  const TensorMemory memory;
  const at::Tensor loss = at::l1_loss(x, y);  // also allocates the differences
  EXPECT_GE(memory.Counts().peak_bytes, 4000 + 4);
  EXPECT_EQ(memory.Counts().AliveBytes(), 4);
}

TEST(TensorMemory, ViewsAndInPlaceOperatorsAllocateNothing) {
  at::Tensor x = at::ones({10, 100});
  const TensorMemory memory;
  const at::Tensor view = x.view({1000}).slice(0, 10, 20), turned = x.t(), detached = x.detach();
  x.mul_(x);
  EXPECT_EQ(memory.Counts().allocations, 0);
}

TEST(TensorMemory, WhatWasThereBeforeIsNoPartOfIt) {
  at::Tensor before = Bytes(1 << 20);
  const TensorMemory memory;
  before.reset();
  EXPECT_EQ(memory.Counts().freed_bytes, 0);
  const at::Tensor within = Bytes(100);  // may have the other one's address
  EXPECT_EQ(memory.Counts().AliveBytes(), 100);
  EXPECT_EQ(memory.Counts().peak_bytes, 100);
}

TEST(TensorMemory, WhatOutlivesACounterDoesNotDisturbTheNext) {
  at::Tensor outliving;
  {
    const TensorMemory memory;
    outliving = Bytes(4096);
  }
  outliving.reset();
  at::Tensor unseen = Bytes(4096);  // perhaps at the same address
  const TensorMemory memory;
  const at::Tensor within = Bytes(10);
  unseen.reset();
  EXPECT_EQ(memory.Counts().AliveBytes(), 10);
  EXPECT_EQ(memory.Counts().freed_bytes, 0);
}

TEST(TensorMemory, TellsWhoLooksOnOfEachChange) {
  at::Tensor before = Bytes(10);
  std::vector<int64_t> changes;
  std::vector<const void*> addresses;
  const TensorMemory memory([&](const void* address, int64_t bytes) {
    changes.push_back(bytes);
    addresses.push_back(address);
  });
  at::Tensor within = Bytes(1000);
  before.reset();
  EXPECT_EQ(addresses.back(), within.const_data_ptr());
  within.reset();
  EXPECT_EQ(changes, (std::vector<int64_t>{1000, -1000}));
  EXPECT_EQ(addresses.front(), addresses.back());
}

TEST(TensorMemory, NestedCountersEachCountTheirOwnLife) {
  const TensorMemory outer;
  at::Tensor of_outer = Bytes(1000);
  {
    const TensorMemory inner;
    of_outer.reset();
    const at::Tensor of_both = Bytes(300);
    EXPECT_EQ(inner.Counts().AliveBytes(), 300);
    EXPECT_EQ(inner.Counts().freed_bytes, 0);
    EXPECT_EQ(outer.Counts().AliveBytes(), 300);
    EXPECT_EQ(outer.Counts().freed_bytes, 1000);
  }
  EXPECT_EQ(outer.Counts().AliveBytes(), 0);
  const at::Tensor after = Bytes(7);
  EXPECT_EQ(outer.Counts().AliveBytes(), 7);
  EXPECT_EQ(outer.Counts().peak_bytes, 1000);
}

TEST(TensorMemory, EndsWithAnExceptionAndCountsWhatItUnwinds) {
  const TensorMemory outer;
  const auto call = [] {
    const TensorMemory memory;
    const at::Tensor x = at::ones({3}), y = at::ones({4});
    at::add(x, y);
  };
  EXPECT_THROW(call(), c10::Error);
  EXPECT_EQ(outer.Counts().AliveBytes(), 0);
  EXPECT_EQ(outer.Counts().allocated_bytes, 7 * 4);
  const at::Tensor after = Bytes(50);
  EXPECT_EQ(outer.Counts().AliveBytes(), 50);
}

TEST(TensorMemory, LeavesNothingBehind) {
  { const TensorMemory memory; }
  EXPECT_EQ(c10::ThreadLocalDebugInfo::current(), nullptr);
}

TEST(TensorMemory, DoesNotCountOtherThreads) {
  const TensorMemory memory;
  at::Tensor theirs;
  std::thread([&] { theirs = Bytes(1000); }).join();
  EXPECT_EQ(memory.Counts().allocations, 0);
}

TEST(TensorMemory, LibTorchDoesNotSpeakOfTheMemoryThatWasThereBefore) {
  std::vector<at::Tensor> before;
  for (int i = 0; i < 1001; ++i) before.push_back(Bytes(64));  // it warns every 1000th time
  testing::internal::CaptureStderr();
  {
    const TensorMemory memory;
    before.clear();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// A gradient that needs a backward pass of its own, `depth` times over. LibTorch gives each thread
// 60 levels and then takes another thread.
int64_t depth = 0;
std::optional<std::thread::id> deepest_thread;

struct BackwardInBackward : torch::autograd::Function<BackwardInBackward> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) {
    return x.clone();
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext*,
                                               torch::autograd::tensor_list gradients) {
    if (--depth > 0) {
      const at::AutoGradMode with_gradients(true);
      at::Tensor x = at::ones({1}).requires_grad_(true);
      torch::autograd::backward({apply(x)});
    } else {
      deepest_thread = std::this_thread::get_id();
      const at::Tensor temporary = Bytes(1'000'000);
    }
    return gradients;
  }
};

TEST(TensorMemory, ReachesAutogradsThreads) {
  depth = 70;
  deepest_thread.reset();
  const at::Tensor x = at::ones({1}).requires_grad_(true);
  const at::Tensor y = BackwardInBackward::apply(x);
  const TensorMemory memory;
  torch::autograd::backward({y});
  ASSERT_TRUE(deepest_thread.has_value());
  EXPECT_NE(*deepest_thread, std::this_thread::get_id()) << "the test needs another thread";
  EXPECT_GE(memory.Counts().peak_bytes, 1'000'000);
  EXPECT_LT(memory.Counts().AliveBytes(), 100'000);
}

}  // namespace
}  // namespace assay::base

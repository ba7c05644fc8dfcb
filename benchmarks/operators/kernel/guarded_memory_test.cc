#include "benchmarks/operators/kernel/guarded_memory.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;
using ::testing::KilledBySignal;

std::string Described(const void* address) {
  std::array<char, 160> text;
  DescribeAddress(address, text.data(), text.size());
  return text.data();
}

TEST(GuardedMemoryTest, ACopyHasTheSameNumbersAndStrides) {
  const at::Tensor x = at::arange(12, at::kFloat).view({3, 4}).t();
  for (const Edge edge : {Edge::kEnd, Edge::kStart, Edge::kMiddle}) {
    const at::Tensor copy = Guarded(x, edge, "x", /*read_only=*/true);
    EXPECT_TRUE(copy.equal(x));
    EXPECT_EQ(copy.strides(), x.strides());
  }
}

TEST(GuardedMemoryTest, NamesWhatLiesBesideAnAddress) {
  const at::Tensor x = Guarded(at::arange(5, at::kFloat), Edge::kEnd, "input 'x'", true);
  const float* data = x.const_data_ptr<float>();
  EXPECT_EQ(Described(data + 5), "byte 1 behind the end of input 'x'");
  EXPECT_EQ(Described(data + 2), "input 'x', which is not to be written to");
  EXPECT_EQ(Described(data - 1), "4 bytes before the start of input 'x'");
  EXPECT_EQ(Described(&data), "");
}

using GuardedMemoryDeathTest = ::testing::Test;

TEST(GuardedMemoryDeathTest, OneElementTooFarAtEitherEndDies) {
  const at::Tensor at_end = Guarded(at::arange(5, at::kFloat), Edge::kEnd, "x", true);
  const at::Tensor at_start = Guarded(at::arange(5, at::kFloat), Edge::kStart, "x", true);
  const auto read = [](const float* address) {
    return *static_cast<const volatile float*>(address);
  };
  EXPECT_EXIT(read(at_end.const_data_ptr<float>() + 5), KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(read(at_start.const_data_ptr<float>() - 1), KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(at_end.fill_(1), KilledBySignal(SIGSEGV), "");
}

// A size that is a multiple of a page's, too.
TEST(GuardedMemoryTest, InTheMiddleNoAddressTellsThatItIsGuarded) {
  const auto at_page = [](const at::Tensor& tensor) {
    const auto begin = reinterpret_cast<uintptr_t>(tensor.const_data_ptr());
    return begin % 4096 == 0 || (begin + tensor.nbytes()) % 4096 == 0;
  };
  const GuardedAllocations guarded(0xFF, Edge::kMiddle);
  for (const int64_t n : {1, 100, 1024}) {
    at::Tensor output = at::empty({n}, at::kFloat);
    EXPECT_FALSE(at_page(output)) << n;
    EXPECT_FALSE(at_page(Guarded(output, Edge::kMiddle, "x", true))) << n;
    output.mutable_data_ptr<float>()[n] = 1;
    EXPECT_THAT(guarded.Damage(), HasSubstr("byte 1 behind the end of")) << n;
  }
}

TEST(GuardedMemoryTest, NewMemoryHoldsThePoisonAndShowsWhatIsWrittenBehindIt) {
  at::Tensor outlives;
  {
    const GuardedAllocations guarded(0xFF);
    outlives = at::empty({5}, at::kFloat);
    EXPECT_TRUE(outlives.isnan().all().item<bool>());
    EXPECT_EQ(guarded.Damage(), "");
    outlives.mutable_data_ptr<float>()[5] = 1;
    EXPECT_EQ(guarded.Damage(), "byte 1 behind the end of 20 bytes");
  }
  EXPECT_EQ(outlives.numel(), 5);  // and is freed where it came from
}

}  // namespace
}  // namespace assay::kernel

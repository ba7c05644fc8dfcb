#include "benchmarks/harness/runner/vary/stale_size.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>

#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/vary/places_model.h"
#include "benchmarks/harness/runner/vary/scaled_places.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

TEST(StaleSize, KeepsWhatTwoSizesShareUntilTheNextCallOfTheSame) {
  const ResolvedCase c = ScaledPlacesCase();
  const auto program = *execution::SeededProgram(c, c.measured());
  auto right = execution::LoadEager({}, *program);
  auto stale = WithStaleSize(execution::LoadEager({}, *program));
  const at::Tensor four = at::arange(8, at::kFloat).reshape({2, 4}),
                   three = at::arange(6, at::kFloat).reshape({2, 3});
  const auto alike = [&](const at::Tensor& inputs) {
    return at::equal((*execution::OutputsOf(*right, {inputs}))[0],
                     (*execution::OutputsOf(*stale, {inputs}))[0]);
  };
  EXPECT_TRUE(alike(four));
  EXPECT_FALSE(alike(three));
  EXPECT_TRUE(alike(three));
  EXPECT_FALSE(alike(four));
  EXPECT_TRUE(at::equal(stale->Inputs()[0], four));
}

}  // namespace
}  // namespace assay::runner

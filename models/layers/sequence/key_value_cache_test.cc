#include "models/layers/sequence/key_value_cache.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include "gtest/gtest.h"
#include "models/layers/sequence/attention.h"

namespace assay::models {
namespace {

TEST(KeyValueCache, ATokenAfterAnotherAttendsAsAllAtOnce) {
  const at::Tensor q = at::rand({2, 7, 8}), k = at::rand({2, 7, 8}), v = at::rand({2, 7, 8});
  const AttentionOptions causal = {.heads = 2, .causal = true};
  const at::Tensor whole = Attend(q, k, v, causal);
  const KeyValueCache cache(at::full({2, 9, 8}, NAN), at::full({2, 9, 8}, NAN));
  int64_t position = 0;
  for (const int64_t count : {3, 1, 2, 1}) {  // the prompt, then one or several
    const auto some = [&](const at::Tensor& x) { return x.narrow(1, position, count); };
    const KeyValue all = cache.Add(some(k), some(v), position);
    EXPECT_TRUE(at::allclose(Attend(some(q), all.key, all.value, causal), some(whole))) << position;
    position += count;
  }
}

// Rows of which one has two tokens more than the other.
TEST(KeyValueCache, ATokenOfEachRowStandsAtItsOwnPosition) {
  const at::Tensor q = at::rand({2, 7, 8}), k = at::rand({2, 7, 8}), v = at::rand({2, 7, 8});
  for (const int64_t window : {0, 3}) {
    const AttentionOptions causal = {.heads = 2, .causal = true, .window = window};
    const at::Tensor whole = Attend(q, k, v, causal);
    const at::Tensor keys = at::rand({2, 9, 8}), values = at::rand({2, 9, 8});  // of those before
    for (const int64_t row : {0, 1}) {
      const KeyValueCache of_row(keys.narrow(0, row, 1), values.narrow(0, row, 1));
      const auto before = [&](const at::Tensor& x) {
        return x.narrow(0, row, 1).narrow(1, 0, 4 + 2 * row);
      };
      of_row.Add(before(k), before(v), 0);
    }
    const at::Tensor positions = at::arange(2) * 2 + 4;  // 4 and 6
    const auto next = [](const at::Tensor& x) {
      return at::stack({x[0].narrow(0, 4, 1), x[1].narrow(0, 6, 1)});
    };
    const CachePlace place(positions);
    const KeyValue all = KeyValueCache(keys, values).Add(next(k), next(v), place);
    const at::Tensor got =
        Attend(next(q), all.key, all.value, {.heads = 2, .mask = SeenByRows(place, window)});
    EXPECT_TRUE(at::allclose(got, next(whole))) << window;
  }
}

TEST(KeyValueCache, RefusesWhatDoesNotFit) {
  const KeyValueCache cache(at::zeros({1, 4, 2}), at::zeros({1, 4, 2}));
  const at::Tensor two = at::ones({1, 2, 2});
  EXPECT_EQ(cache.Add(two, two, 2).key.size(1), 4);
  EXPECT_THROW(cache.Add(two, two, 3), c10::Error);
  EXPECT_THROW(cache.Add(two, two, -1), c10::Error);
  const at::Tensor one = at::ones({1, 1, 2});
  EXPECT_THROW(cache.Add(one, one, CachePlace(at::full({1}, 4))), c10::Error);
}

}  // namespace
}  // namespace assay::models

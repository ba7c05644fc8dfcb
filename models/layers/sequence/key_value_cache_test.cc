#include "models/layers/sequence/key_value_cache.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
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

TEST(KeyValueCache, RefusesWhatDoesNotFit) {
  const KeyValueCache cache(at::zeros({1, 4, 2}), at::zeros({1, 4, 2}));
  const at::Tensor two = at::ones({1, 2, 2});
  EXPECT_EQ(cache.Add(two, two, 2).key.size(1), 4);
  EXPECT_THROW(cache.Add(two, two, 3), c10::Error);
  EXPECT_THROW(cache.Add(two, two, -1), c10::Error);
}

}  // namespace
}  // namespace assay::models

#include "benchmarks/harness/trace/identities.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <set>

namespace assay::trace {
namespace {

TEST(IdentitiesTest, ATensorKeepsItsNumberAndItsViewsShareTheStorage) {
  Identities ids;
  const at::Tensor tensor = at::zeros({4});
  const at::Tensor view = tensor.slice(0, 1);
  const uint64_t id = ids.OfTensor(tensor);
  EXPECT_EQ(ids.OfTensor(tensor), id);
  EXPECT_NE(ids.OfTensor(view), id);
  EXPECT_EQ(ids.OfStorage(view)->id, ids.OfStorage(tensor)->id);
  EXPECT_NE(ids.OfStorage(tensor)->id, id) << "tensors and storages share no number";
}

TEST(IdentitiesTest, TemporariesOneAfterAnotherDifferAlsoAtTheSameAddress) {
  Identities ids;
  std::set<uint64_t> tensors, storages;
  for (int i = 0; i < 500; ++i) {
    const at::Tensor temporary = at::zeros({1000});
    tensors.insert(ids.OfTensor(temporary));
    storages.insert(ids.OfStorage(temporary)->id);
  }
  EXPECT_EQ(tensors.size(), 500u);
  EXPECT_EQ(storages.size(), 500u);
  EXPECT_LE(ids.held(), 130u) << "freed objects must be dropped";
}

TEST(IdentitiesTest, DataOfTemporariesIsFreed) {
  Identities ids;
  at::Tensor tensor = at::zeros({1000});
  ids.OfTensor(tensor);
  ids.OfStorage(tensor);
  const c10::weak_intrusive_ptr<c10::StorageImpl> storage = tensor.storage().getWeakStorageImpl();
  tensor.reset();
  EXPECT_TRUE(storage.expired());
}

TEST(IdentitiesTest, UndefinedAndSparseTensorsHaveNoStorage) {
  Identities ids;
  EXPECT_EQ(ids.OfTensor(at::Tensor()), 0u);
  EXPECT_EQ(ids.OfStorage(at::Tensor()), nullptr);
  const at::Tensor sparse = at::eye(3).to_sparse();
  EXPECT_GT(ids.OfTensor(sparse), 0u);
  EXPECT_EQ(ids.OfStorage(sparse), nullptr);
}

}  // namespace
}  // namespace assay::trace

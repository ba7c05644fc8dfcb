#include "benchmarks/traces/graph/storages.h"

#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;

Storages Find(const NodeList& nodes) { return FindStorages(TraceTree(nodes)); }

TEST(FindStorages, TellsMemoryThatIsReusedFromMemoryThatIsShared) {
  const Storages storages =
      Find({Operator(10, "aten::relu", 1, {Tensor(2, 3, {8})}, {Tensor(4, 5, {8})}),
            Operator(11, "aten::view", 1, {Tensor(4, 5, {8})}, {Tensor(6, 5, {2, 4})}),
            Operator(12, "aten::exp", 1, {Tensor(2, 3, {8})}, {Tensor(4, 5, {8})}),
            Operator(13, "aten::add_", 1, {Tensor(4, 5, {8})}, {Tensor(4, 5, {8})})});
  EXPECT_EQ(storages.outputs[0], storages.inputs[1]);
  EXPECT_EQ(storages.outputs[1], storages.inputs[1]);
  EXPECT_NE(storages.outputs[2], storages.outputs[0]) << "the id of a storage that is gone";
  EXPECT_EQ(storages.outputs[3], storages.outputs[2]);
  EXPECT_EQ(storages.all[static_cast<size_t>(storages.inputs[0][0])].born, kNoNode);
  EXPECT_EQ(storages.all[static_cast<size_t>(storages.outputs[2][0])].born, 2u);
}

TEST(FindStorages, AnOuterResultIsWhatAnInnerOperatorMade) {
  const Storages storages =
      Find({Operator(10, "aten::softmax", 1, {Tensor(2, 3, {8})}, {Tensor(4, 5, {8})}),
            Operator(11, "aten::_softmax", 10, {Tensor(2, 3, {8})}, {Tensor(4, 5, {8})})});
  EXPECT_EQ(storages.outputs[0], storages.outputs[1]);
  EXPECT_EQ(storages.all[static_cast<size_t>(storages.outputs[0][0])].born, 1u);
}

TEST(FindStorages, AReadThatDoesNotFitIsOfMemoryThatNobodyMade) {
  const Storages storages =
      Find({Operator(10, "aten::relu", 1, {Tensor(2, 3, {8})}, {Tensor(4, 5, {8})}),
            Operator(11, "aten::relu", 1, {Tensor(4, 5, {1000})}, {}),
            Operator(12, "aten::relu", 1, {Tensor(7, 3, {2}, "double", 8)}, {}),
            Operator(13, "aten::relu", 1, {Tensor(2, 3, {16})}, {})});
  EXPECT_NE(storages.inputs[1], storages.outputs[0]);
  EXPECT_NE(storages.inputs[2], storages.inputs[0]) << "another dtype";
  EXPECT_NE(storages.inputs[3], storages.inputs[2]);
}

TEST(FindStorages, AStorageIsAsLargeAsItsFarthestTensor) {
  TraceValue view = Tensor(6, 3, {2, 3});
  view.tensor.offset = 4;
  view.tensor.strides = {10, 2};
  const Storages storages = Find({Operator(10, "aten::relu", 1, {Tensor(2, 3, {8})}, {}),
                                  Operator(11, "aten::relu", 1, {view}, {})});
  EXPECT_EQ(storages.inputs[0], storages.inputs[1]);
  EXPECT_EQ(storages.all[0].bytes, 4 * (4 + 10 + 4 + 1));
}

TEST(FindStorages, TensorsWithoutElementsShareNothing) {
  const Storages storages = Find(
      {Operator(10, "aten::cat", 1, {Tensor(2, 3, {0}), Tensor(4, 3, {0, 2}, "long int", 8)}, {})});
  EXPECT_THAT(storages.inputs[0], ElementsAre(kNoStorage, kNoStorage));
}

TEST(ExtentOf, RefusesWhatNoMemoryCanHold) {
  const auto extent = [](std::vector<int64_t> sizes, std::vector<int64_t> strides, int64_t offset) {
    TraceTensor tensor = Tensor(1, 2, {4}).tensor;
    tensor.sizes = sizes;
    if (!sizes.empty()) tensor.elements = sizes[0];
    tensor.strides = strides;
    tensor.offset = offset;
    return ExtentOf(tensor);
  };
  EXPECT_EQ(extent({4}, {1}, 2), 24);
  EXPECT_EQ(extent({}, {}, 0), -1) << "4 elements";
  EXPECT_EQ(extent({-4}, {1}, 0), -1);
  EXPECT_EQ(extent({4}, {-1}, 0), -1);
  EXPECT_EQ(extent({4}, {1}, -2), -1);
  EXPECT_EQ(extent({int64_t{1} << 40}, {int64_t{1} << 40}, 0), -1);
}

TEST(TensorLives, KnowWhoMadeAndUsedATensor) {
  const NodeList nodes = {
      Operator(5, "aten::linear", 1, {Tensor(3, 4, {2})}, {Tensor(8, 9, {2})}),
      Operator(6, "aten::mm", 5, {Tensor(3, 4, {2})}, {Tensor(8, 9, {2})}),
      Operator(10, "aten::relu", 1, {Tensor(8, 9, {2})}, {Tensor(11, 12, {2})}),
      Operator(13, "aten::add", 1, {Tensor(8, 9, {2}), Tensor(11, 12, {2})}, {Tensor(14, 15, {2})}),
      // The address of tensor 11 and its storage is used again.
      Operator(16, "aten::empty", 1, {}, {Tensor(11, 12, {7})})};
  const TraceTree tree(nodes);
  const std::vector<TensorLife> lives = TensorLives(tree, FindStorages(tree));
  ASSERT_EQ(lives.size(), 5u);
  EXPECT_EQ(lives[0].id, 3);
  EXPECT_EQ(lives[0].made, kNoNode);  // an argument of the program
  EXPECT_EQ(lives[0].uses, 2);
  EXPECT_EQ(lives[1].id, 8);
  EXPECT_EQ(lives[1].made, 1u);  // by mm, inside linear
  EXPECT_EQ(lives[1].first_use, 2u);
  EXPECT_EQ(lives[1].last_use, 3u);
  EXPECT_EQ(BytesOf(*lives[1].like), 8);
  EXPECT_EQ(lives[4].id, 11);
  EXPECT_EQ(lives[4].made, 4u);
  EXPECT_EQ(lives[4].uses, 0);
}

}  // namespace
}  // namespace assay::traces

#include "benchmarks/harness/checkpoints/checkpoint_likeness.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace assay::checkpoints {
namespace {

using Names = std::set<std::string>;

const Names kBert = {"embeddings.word_embeddings.weight",
                     "encoder.layer.0.attention.self.query.weight",
                     "encoder.layer.1.attention.self.query.weight"};
const Names kResNet = {"conv1.weight", "layer1.0.conv2.weight", "layer1.1.conv2.weight",
                       "layer2.0.conv2.weight"};

TEST(LooksLike, NamesAnotherArchitectureAndTheModels) {
  EXPECT_EQ(LooksLike({"transformer.h.0.attn.c_attn.weight"}, kBert),
            "GPT-2 (transformers); the model is like BERT (transformers)");
  EXPECT_EQ(LooksLike({"bert.encoder.layer.0.attention.self.query.weight"}, kResNet),
            "BERT (transformers); the model is like ResNet of basic blocks (torchvision, timm)");
  EXPECT_EQ(LooksLike({"layer1.0.conv2.weight", "layer1.0.conv3.weight"}, {"0.weight"}),
            "ResNet of bottleneck blocks (torchvision, timm)");
}

TEST(LooksLike, TellsTheSameArchitectureBySizes) {
  Names larger = {"module.conv1.weight", "module.layer1.0.conv2.weight",
                  "module.layer1.1.conv2.weight", "module.layer1.2.conv2.weight",
                  "module.layer2.0.conv2.weight"};
  EXPECT_EQ(LooksLike(larger, kResNet),
            "ResNet of basic blocks (torchvision, timm) with 3, 1 blocks in layer1, layer2, where "
            "the model has 2, 1");
  EXPECT_EQ(LooksLike({"net.a.0.w", "net.a.1.w"}, {"a.0.w"}),
            "the same model with 2 blocks in a, where the model has 1");
}

TEST(LooksLike, SaysNothingWhereItKnowsNothing) {
  EXPECT_EQ(LooksLike({"w"}, kBert), "");
  EXPECT_EQ(LooksLike({}, kBert), "");
  EXPECT_EQ(LooksLike(kBert, kBert), "");
  EXPECT_EQ(LooksLike({"fourth.0.attn.c_attn.weight"}, {"0.weight"}), "") << "no part of its own";
}

}  // namespace
}  // namespace assay::checkpoints

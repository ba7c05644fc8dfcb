#include "benchmarks/harness/execution/flop_count.h"

#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <functional>

#include "gtest/gtest.h"
#include "models/registry.h"

namespace assay::execution {
namespace {

class Function : public Executable {
 public:
  explicit Function(std::function<std::vector<at::Tensor>()> function)
      : function_(std::move(function)) {}
  std::vector<at::Tensor> Call() override { return function_(); }
  void SetInputs(std::vector<at::Tensor>) override {}

 private:
  std::function<std::vector<at::Tensor>()> function_;
};

double ResNetGigaFlops(const char* block, std::vector<int64_t> layers, int64_t resolution) {
  models::Parameters parameters;
  parameters.Set("block", block);
  parameters.Set("layers", std::move(layers));
  parameters.Set("groups", 1);
  parameters.Set("width_per_group", 64);
  parameters.Set("num_classes", 1000);
  auto model = models::Create("resnet", parameters);
  EXPECT_TRUE(model.ok()) << model.status();
  auto executable = Prepare(EAGER, **model, {at::zeros({1, 3, resolution, resolution})});
  return CountFlops(**executable).value() / 1e9;
}

// torch.utils.flop_counter on torchvision's models, one image.
TEST(CountFlops, AgreesWithTorchsFlopCounterOnResNets) {
  EXPECT_NEAR(ResNetGigaFlops("basic", {2, 2, 2, 2}, 224), 3.628, 5e-4);
  EXPECT_NEAR(ResNetGigaFlops("bottleneck", {3, 4, 6, 3}, 224), 8.178, 5e-4);
  EXPECT_NEAR(ResNetGigaFlops("bottleneck", {3, 8, 36, 3}, 224), 23.03, 5e-3);
}

TEST(CountFlops, CountsAMatrixProductOnce) {
  // matmul of 3-D operands calls bmm, which must not count again.
  Function product([] {
    return std::vector<at::Tensor>{at::matmul(at::zeros({5, 2, 3}), at::zeros({5, 3, 4}))};
  });
  EXPECT_EQ(CountFlops(product).value(), 2.0 * 5 * 2 * 3 * 4);
  EXPECT_EQ(CountFlops(product).value(), 2.0 * 5 * 2 * 3 * 4);
}

TEST(CountFlops, OfAModelWithoutProductsIsZero) {
  Function nothing([] { return std::vector<at::Tensor>{at::zeros({3})}; });
  EXPECT_EQ(CountFlops(nothing).value(), 0);
}

TEST(CountFlops, PassesTheModelsErrorOn) {
  Function broken([] {
    return std::vector<at::Tensor>{at::matmul(at::zeros({2, 3}), at::zeros({2, 3}))};
  });
  EXPECT_FALSE(CountFlops(broken).ok());
}

}  // namespace
}  // namespace assay::execution

#include "benchmarks/harness/checkpoints/checkpoint_loading.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/checkpoints/checkpoint_misfit.h"
#include "benchmarks/harness/programs/model_program.h"
#include "benchmarks/harness/tensor_files/checkpoint.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"

namespace assay::checkpoints {
namespace {

using tensor_files::Checkpoint;
using tensor_files::StoredTensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A matrix, a bias, a counter, and an output layer tied to the matrix.
class Tied : public execution::Program {
 public:
  execution::StateContract Contract() const override { return execution::StateContract::kPure; }
  execution::Tensors Outputs(execution::TensorsRef inputs) override {
    return {at::matmul(inputs[0], weight_)};
  }
  execution::Tensors Call(execution::Step, execution::TensorsRef inputs) override {
    return Outputs(inputs);
  }
  std::vector<models::NamedTensor> State() override {
    return {{"embedding.weight", weight_, {}, true},
            {"embedding.bias", bias_, {}, true},
            {"steps", steps_, {}, false},
            {"head.weight", weight_, {}, true}};
  }
  void To(at::Device device, at::ScalarType dtype) override {
    weight_ = weight_.to(device, dtype);
    bias_ = bias_.to(device, dtype);
    steps_ = steps_.to(device);
  }

 private:
  at::Tensor weight_ = at::full({2, 3}, -7.0);
  at::Tensor bias_ = at::full({3}, -7.0);
  at::Tensor steps_ = at::scalar_tensor(0, at::kLong);
};

at::Tensor Matrix() { return at::arange(6, at::kFloat).view({2, 3}) / 3; }

std::vector<StoredTensor> Good() {
  return {{"embedding.weight", Matrix()},
          {"embedding.bias", at::ones({3})},
          {"steps", at::scalar_tensor(41, at::kLong)}};
}

Checkpoint Written(const std::vector<StoredTensor>& tensors) {
  const std::string path =
      absl::StrCat(testing::TempDir(), "/",
                   testing::UnitTest::GetInstance()->current_test_info()->name(), ".safetensors");
  EXPECT_TRUE(tensor_files::WriteTensors(path, tensors, {}).ok());
  absl::StatusOr<Checkpoint> checkpoint = Checkpoint::Open(path);
  EXPECT_TRUE(checkpoint.ok()) << checkpoint.status();
  return *std::move(checkpoint);
}

absl::Status Refusal(const std::vector<StoredTensor>& tensors) {
  Tied model;
  return LoadCheckpoint(Written(tensors), {}, FP32, model).status();
}

TEST(LoadCheckpoint, FillsTheModelByName) {
  Tied model;
  const absl::StatusOr<LoadedWeights> loaded = LoadCheckpoint(Written(Good()), {}, FP32, model);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->tensors, 3);
  EXPECT_THAT(loaded->conversions, IsEmpty());
  EXPECT_THAT(loaded->warnings, IsEmpty());
  const std::vector<models::NamedTensor> state = model.State();
  EXPECT_TRUE(at::equal(state[0].tensor, Matrix()));
  EXPECT_TRUE(at::equal(state[1].tensor, at::ones({3})));
  EXPECT_EQ(state[2].tensor.item<int64_t>(), 41);
  EXPECT_TRUE(at::equal(state[3].tensor, Matrix())) << "tied, so absent from the file";
}

TEST(LoadCheckpoint, PartsOfAStackFillTheirPlaces) {
  class Untied final : public Tied {
   public:
    std::vector<models::NamedTensor> State() override {
      std::vector<models::NamedTensor> state = Tied::State();
      state.pop_back();
      return state;
    }
  };
  LoadingRules rules;
  CheckpointExtras::Stack& stack = *rules.extras.add_stacks();
  stack.set_today("embedding.weight");
  for (const char* part : {"rows.*.a", "rows.*.b", "rows.*.c"}) stack.add_parts(part);
  std::vector<StoredTensor> tensors = {Good()[1], Good()[2]};
  for (const int row : {1, 0}) {
    for (const int column : {0, 1, 2}) {
      tensors.push_back(
          {absl::StrCat("rows.", row, ".", std::string(1, static_cast<char>('a' + column))),
           Matrix()[row].narrow(0, column, 1).clone()});
    }
  }
  Untied model;
  const absl::StatusOr<LoadedWeights> loaded = LoadCheckpoint(Written(tensors), rules, FP32, model);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->tensors, 8);
  EXPECT_TRUE(at::equal(model.State()[0].tensor, Matrix()));
  EXPECT_TRUE(LoadCheckpoint(Written(Good()), rules, FP32, model).ok()) << "not in parts";
  tensors.pop_back();
  EXPECT_THAT(LoadCheckpoint(Written(tensors), rules, FP32, model).status().message(),
              HasSubstr("missing     1: \"rows.0.c\""));
}

TEST(LoadCheckpoint, TiedTensorsMayBothBeThereIfTheyAgree) {
  std::vector<StoredTensor> tensors = Good();
  tensors.push_back({"head.weight", Matrix()});
  Tied model;
  EXPECT_TRUE(LoadCheckpoint(Written(tensors), {}, FP32, model).ok());
  tensors.back().tensor = Matrix() + 1;
  const absl::Status status = Refusal(tensors);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("\"embedding.weight\" and \"head.weight\" are one"));
}

TEST(LoadCheckpoint, EitherOfTheTiedNamesWillDo) {
  std::vector<StoredTensor> tensors = Good();
  tensors[0].name = "head.weight";
  Tied model;
  const auto loaded = LoadCheckpoint(Written(tensors), {}, FP32, model);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_TRUE(at::equal(model.State()[0].tensor, Matrix()));
}

// The same from the layers of //models, which tie the two again after each move.
class TiedLayers : public models::LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {head_.Forward(words_.Forward(inputs[0]))};
  }

 private:
  models::Embedding words_{*this, "words", {.rows = 2, .features = 3}};
  models::Linear head_{
      *this, "head", {.in = 3, .out = 2, .bias = false, .tied_weight = &words_.weight()}};
};

TEST(LoadCheckpoint, FillsALayersAliasFromEitherName) {
  for (const char* name : {"words.weight", "head.weight"}) {
    execution::ModelProgram model(std::make_unique<TiedLayers>());
    const auto loaded = LoadCheckpoint(Written({{name, Matrix()}}), {}, BF16, model);
    ASSERT_TRUE(loaded.ok()) << name << ": " << loaded.status();
    const std::vector<models::NamedTensor> state = model.State();
    EXPECT_TRUE(state[0].tensor.is_same(state[1].tensor));
    EXPECT_TRUE(at::equal(state[1].tensor, Matrix().to(at::kBFloat16)));
  }
}

TEST(LoadCheckpoint, NamesBothWhereATiedTensorIsMissing) {
  execution::ModelProgram model(std::make_unique<TiedLayers>());
  const absl::Status status =
      LoadCheckpoint(Written({{"other", Matrix()}}), {}, FP32, model).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("missing     2: \"head.weight\", \"words.weight\""));
}

TEST(LoadCheckpoint, RoundsOnceToTheCasesDtypeAndSaysSo) {
  std::vector<StoredTensor> tensors = Good();
  tensors[0].tensor = Matrix().to(at::kDouble) / 3;  // rounding twice would differ
  Tied model;
  const auto loaded = LoadCheckpoint(Written(tensors), {}, BF16, model);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_TRUE(at::equal(model.State()[0].tensor, tensors[0].tensor.to(at::kBFloat16)));
  EXPECT_EQ(model.State()[2].tensor.scalar_type(), at::kLong);
  EXPECT_THAT(loaded->conversions,
              ElementsAre("1 tensor F32 converted to bf16", "1 tensor F64 converted to bf16"));
  Tied exact;
  ASSERT_TRUE(LoadCheckpoint(Written(tensors), {}, FP64, exact).ok());
  EXPECT_TRUE(at::equal(exact.State()[0].tensor, tensors[0].tensor))
      << "float64 weights must not pass through float32";
}

TEST(LoadCheckpoint, WarnsOfNanAndOfWhatRoundingMadeInfinite) {
  std::vector<StoredTensor> tensors = Good();
  tensors[1].tensor = at::full({3}, 1e6);
  Tied model;
  EXPECT_THAT(LoadCheckpoint(Written(tensors), {}, FP32, model)->warnings, IsEmpty());
  EXPECT_THAT(LoadCheckpoint(Written(tensors), {}, FP16, model)->warnings,
              ElementsAre("NaN or infinity in 1 of 3 tensors, the first is \"embedding.bias\""));
  tensors[0].tensor[1][2] = std::nanf("");
  EXPECT_THAT(LoadCheckpoint(Written(tensors), {}, FP32, model)->warnings,
              ElementsAre("NaN or infinity in 1 of 3 tensors, the first is \"embedding.weight\""));
}

TEST(LoadCheckpoint, ListsAllThatDoesNotFitAtOnce) {
  const absl::Status status = Refusal({{"embedding.weight", Matrix().t().contiguous()},
                                       {"steps", at::scalar_tensor(41, at::kInt)},
                                       {"classifier.bias", at::ones({1})},
                                       {"classifier.weight", at::ones({1})}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("do not fit the model\n"
                                          "  missing     1: \"embedding.bias\"\n"
                                          "  unexpected  2: \"classifier.bias\", "
                                          "\"classifier.weight\"\n"
                                          "  mis-shaped  1: \"embedding.weight\" is [3, 2], the "
                                          "model's is [2, 3]\n"
                                          "  mis-typed   1: \"steps\" is I32, the model's is "
                                          "int64"));
}

TEST(LoadCheckpoint, IntegersAreNotTakenForFloatsNorTheOtherWayRound) {
  std::vector<StoredTensor> tensors = Good();
  tensors[1].tensor = at::ones({3}, at::kLong);
  EXPECT_THAT(Refusal(tensors).message(), HasSubstr("\"embedding.bias\" is I64"));
  tensors = Good();
  tensors[2].tensor = at::scalar_tensor(41.0);
  EXPECT_THAT(Refusal(tensors).message(), HasSubstr("\"steps\" is F32"));
}

TEST(LoadCheckpoint, ABroadcastableShapeIsAnotherShape) {
  std::vector<StoredTensor> tensors = Good();
  tensors[1].tensor = at::ones({1});
  EXPECT_THAT(Refusal(tensors).message(), HasSubstr("\"embedding.bias\" is [1], the model's"));
}

TEST(LoadCheckpoint, LeavesTheModelAsItWasWhereTheFileDoesNotFit) {
  std::vector<StoredTensor> tensors = Good();
  tensors.pop_back();
  Tied model;
  EXPECT_FALSE(LoadCheckpoint(Written(tensors), {}, FP32, model).ok());
  EXPECT_TRUE(at::equal(model.State()[0].tensor, at::full({2, 3}, -7.0)));
}

TEST(LoadCheckpoint, NamesAreTranslatedAndThatIsSaidFirst) {
  std::vector<StoredTensor> tensors = Good();
  for (StoredTensor& stored : tensors) stored.name = "module.model." + stored.name;
  tensors[1].name = "module.model.embedding.beta";
  tensors.push_back({"module.classifier.weight", at::ones({1})});
  tensors[0].tensor = Matrix().to(at::kDouble);
  LoadingRules rules;
  rules.extras.add_heads("classifier");
  Tied model;
  const auto loaded = LoadCheckpoint(Written(tensors), rules, FP32, model);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->tensors, 3);
  EXPECT_THAT(loaded->conversions,
              ElementsAre("3 tensors have \"module.model.\" in front of their names",
                          "1 tensor called gamma or beta read as weight or bias",
                          "1 tensor left out, heads that the model has not: "
                          "\"module.classifier.weight\"",
                          "1 tensor F64 converted to fp32"));
  EXPECT_TRUE(at::equal(model.State()[1].tensor, at::ones({3})));
  EXPECT_TRUE(at::equal(model.State()[3].tensor, Matrix()));
  EXPECT_EQ(model.State()[2].tensor.item<int64_t>(), 41);
}

TEST(LoadCheckpoint, ShapesAndKindsAreAsStrictBehindAPrefix) {
  std::vector<StoredTensor> tensors = Good();
  for (StoredTensor& stored : tensors) stored.name = "module." + stored.name;
  tensors[1].tensor = at::ones({4});
  tensors[2].tensor = at::scalar_tensor(41.0);
  const absl::Status status = Refusal(tensors);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("\"embedding.bias\" is [4], the model's is [3]"));
  EXPECT_THAT(status.message(), HasSubstr("\"steps\" is F32, the model's is int64"));
}

TEST(LoadCheckpoint, TheFileIsNamedWhereThePrefixIsNoGood) {
  Tied model;
  const absl::Status status =
      LoadCheckpoint(Written(Good()), {.prefix = "bert"}, FP32, model).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("TheFileIsNamedWhereThePrefixIsNoGood.safetensors: no "
                                          "tensor's name begins with \"bert.\""));
}

TEST(MisfitText, FindsAPrefixThatTheFileLacks) {
  const Misfit misfit{.missing = {"bert.a.w", "bert.b.w"}, .unexpected = {"a.w", "b.w"}};
  EXPECT_THAT(misfit.Text(), HasSubstr("2 of the missing names are in the file without \"bert.\""));
}

TEST(MisfitText, HasNoHintWhereNamesDifferOtherwise) {
  const Misfit misfit{.missing = {"a.w", "b.w", "c.w"}, .unexpected = {"x.a.w", "q", "r"}};
  EXPECT_THAT(misfit.Text(), Not(HasSubstr("hint")));
}

TEST(MisfitText, CutsLongListsAndCountsThem) {
  Misfit misfit;
  for (int i = 0; i < 62; ++i) misfit.missing.insert(absl::StrCat("layer", 100 + i));
  EXPECT_THAT(misfit.Text(), HasSubstr("missing     62: \"layer100\", "));
  EXPECT_THAT(misfit.Text(), HasSubstr("\"layer119\", … and 42 more"));
  EXPECT_THAT(misfit.Text(), Not(HasSubstr("layer120")));
}

TEST(MisfitText, NamesOfAFileStayShortAndPrintable) {
  const Misfit misfit{.unexpected = {"ev\x07il\n" + std::string(100000, 'x')}};
  EXPECT_THAT(misfit.Text(), HasSubstr("\"ev\\x07il\\nxxx"));
  EXPECT_LT(misfit.Text().size(), 500u);
}

}  // namespace
}  // namespace assay::checkpoints

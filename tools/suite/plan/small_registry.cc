#include "tools/suite/plan/small_registry.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace assay::suite {
namespace {

ResolvedCase& AddCase(const std::string& model, Dtype dtype, int64_t batch, bool train,
                      Registry& registry) {
  ResolvedCase& c = *registry.add_cases();
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_name(absl::StrCat(model, "_", absl::AsciiStrToLower(Dtype_Name(dtype)), "_b", batch,
                          train ? "_train" : ""));
  b.set_label(absl::StrCat("//benchmarks/", model, ":", b.name()));
  b.set_model(model);
  b.set_dtype(dtype);
  b.set_batch(batch);
  b.set_mode(train ? TRAIN : EVAL);
  b.add_tags("model=" + model);
  if (batch == 8) b.add_tags("large");
  c.mutable_reference()->set_provenance(model == "cnn" ? "torchvision 1" : "torch.nn 2");
  for (Workload* workload : {c.mutable_measured(), c.mutable_verified(), c.mutable_referenced()}) {
    workload->set_batch(batch);
    TensorSpec& input = *workload->add_inputs();
    input.set_name("x");
    input.add_shape(batch);
    input.add_shape(3);
    if (model == "cnn") {
      input.add_shape(16);
      input.add_shape(16);
    }
  }
  if (!train) return c;
  b.mutable_training()->set_clip_norm(1);
  b.mutable_training()->add_optimizers()->mutable_sgd()->set_learning_rate(0.5);
  b.mutable_training()->add_optimizers()->mutable_adam()->set_learning_rate(0.5);
  return c;
}

}  // namespace

Registry SmallRegistry() {
  Registry registry;
  for (const std::string model : {"mlp", "cnn"}) {
    registry.add_models()->set_name(model);
    registry.mutable_models()->rbegin()->set_implementation(model);
    ModelImplementation& implementation = *registry.add_implementations();
    implementation.set_name(model);
    InputSpec& input = *implementation.add_inputs();
    input.set_name("x");
    input.add_shape("batch");
    input.add_shape("3");
    if (model == "cnn") {
      input.add_shape("16");
      input.add_shape("16");
      registry.mutable_models()->rbegin()->mutable_image_preset()->set_crop(16);
    }
    for (const Dtype dtype : {FP32, BF16}) {
      for (const int64_t batch : {1, 8}) AddCase(model, dtype, batch, false, registry);
    }
  }
  Skip& skip = *registry.mutable_cases()->rbegin()->mutable_benchmark_case()->add_skips();
  skip.set_device(CUDA);
  skip.set_reason("no kernel");
  AddCase("mlp", FP32, 8, true, registry);
  for (const Dtype dtype : {FP32, BF16, FP16}) registry.add_default_limits()->set_dtype(dtype);
  return registry;
}

}  // namespace assay::suite

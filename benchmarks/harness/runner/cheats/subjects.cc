#include "benchmarks/harness/runner/cheats/subjects.h"

#include <google/protobuf/text_format.h>

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "defs/case/case_steps.h"
#include "defs/case/generation_outputs.h"
#include "defs/case/program_kinds.h"
#include "defs/case/training_steps.h"

namespace assay::runner {
namespace {

constexpr char kModel[] = R"pb(
  benchmark_case {
    name: "mlp_fp32_b6"
    label: "//x:mlp_fp32_b6"
    model: "mlp"
    dtype: FP32
    batch: 6
    mode: EVAL
    verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "here" }
  }
  implementation {
    name: "mlp"
    inputs { name: "input" shape: "batch" shape: "32" }
    outputs { name: "probabilities" shape: "batch" shape: "32" }
    targets { name: "labels" shape: "batch" }
  }
  measured {
    batch: 6
    parameters {
      key: "in_features"
      value { integer: 32 }
    }
    parameters {
      key: "hidden_features"
      value { integer: 64 }
    }
    parameters {
      key: "out_features"
      value { integer: 32 }
    }
    inputs {
      name: "input"
      dtype: FP32
      shape: [ 6, 32 ]
      distribution { uniform {} }
    }
    outputs {
      name: "probabilities"
      dtype: FP32
      shape: [ 6, 32 ]
      batched: true
    }
  }
)pb";

constexpr char kOperator[] = R"pb(
  benchmark_case {
    name: "mm_fp32_m6"
    label: "//x:mm_fp32_m6"
    dtype: FP32
    batch: 6
    mode: EVAL
    operator_call {
      name: "aten::mm"
      inputs { name: "self" shape: "batch" shape: "32" }
      inputs { name: "mat2" shape: "32" shape: "16" }
      outputs { name: "out" shape: "batch" shape: "16" }
    }
    verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "here" }
  }
  measured {
    batch: 6
    inputs {
      name: "self"
      dtype: FP32
      shape: [ 6, 32 ]
      distribution { uniform {} }
    }
    inputs {
      name: "mat2"
      dtype: FP32
      shape: [ 32, 16 ]
      distribution { uniform {} }
    }
    outputs {
      name: "out"
      dtype: FP32
      shape: [ 6, 16 ]
      batched: true
    }
  }
)pb";

ResolvedCase Parsed(const char* text) {
  ResolvedCase c;
  google::protobuf::TextFormat::ParseFromString(text, &c);
  return c;
}

void Rename(const std::string& name, ResolvedCase& c) {
  c.mutable_benchmark_case()->set_name(name);
  c.mutable_benchmark_case()->set_label(absl::StrCat("//x:", name));
}

// Gives the reference, and the operator's float64 reference, two of the six rows.
ResolvedCase KnowingTwoRows(ResolvedCase c) {
  Workload two = c.measured();
  two.set_batch(2);
  two.mutable_inputs(0)->set_shape(0, 2);
  two.mutable_outputs(0)->set_shape(0, 2);
  *c.mutable_referenced() = two;
  *c.mutable_verified() = KindOf(c).verified_as_measured ? c.measured() : two;
  SetSteps(c);
  return c;
}

ResolvedCase KnowingAllRows(ResolvedCase c) {
  *c.mutable_verified() = *c.mutable_referenced() = c.measured();
  SetSteps(c);
  return c;
}

void AddTokens(const std::string& name, int64_t tokens, int64_t words, Workload& workload) {
  TensorSpec& input = *workload.add_inputs();
  input.set_name(name);
  input.set_dtype(INT64);
  input.add_shape(2);
  input.add_shape(tokens);
  input.mutable_distribution()->mutable_integers()->set_limit(words);
}

void SetOutputs(const std::vector<ExpectedOutput>& outputs, Workload& workload) {
  *workload.mutable_outputs() = {outputs.begin(), outputs.end()};
}

}  // namespace

ResolvedCase ModelSubject() { return KnowingTwoRows(Parsed(kModel)); }

ResolvedCase OperatorSubject() { return KnowingTwoRows(Parsed(kOperator)); }

ResolvedCase BackwardSubject() {
  ResolvedCase c = Parsed(kOperator);
  Rename("mm_fp32_m6_backward", c);
  OperatorCall& call = *c.mutable_benchmark_case()->mutable_operator_call();
  call.set_backward(true);
  for (int i = 0; i < 2; ++i) {
    const TensorSpec& input = c.measured().inputs(i);
    call.add_outputs()->set_name(absl::StrCat(input.name(), ".grad"));
    ExpectedOutput& gradient = *c.mutable_measured()->add_outputs();
    gradient.set_name(absl::StrCat(input.name(), ".grad"));
    gradient.set_dtype(FP32);
    *gradient.mutable_shape() = input.shape();
  }
  c.mutable_measured()->mutable_outputs(0)->set_batched(false);
  return KnowingAllRows(std::move(c));
}

ResolvedCase TrainingSubject() {
  ResolvedCase c = Parsed(kModel);
  Rename("mlp_fp32_b6_train", c);
  c.mutable_benchmark_case()->set_mode(TRAIN);
  Training& training = *c.mutable_benchmark_case()->mutable_training();
  training.set_loss(OWN);
  Sgd& sgd = *training.add_optimizers()->mutable_sgd();
  sgd.set_learning_rate(0.05);
  sgd.set_momentum(0.9);
  TensorSpec& labels = *c.mutable_measured()->add_inputs();
  labels.set_name("labels");
  labels.set_dtype(INT64);
  labels.add_shape(6);
  labels.mutable_distribution()->mutable_integers()->set_limit(32);
  ExpectedOutput& forward = *c.mutable_measured()->mutable_outputs(0);
  forward.set_batched(false);
  SetOutputs(TrainingOutputs({forward}, training, /*keeps_statistics=*/false, FP32),
             *c.mutable_measured());
  return KnowingAllRows(std::move(c));
}

// A GPT-2 of two blocks: two rows of six tokens, and five new ones.
ResolvedCase GenerationSubject() {
  constexpr int64_t kPrompt = 6, kNew = 5, kWords = 64;
  ResolvedCase c;
  Rename("gpt2_fp32_b2_s6_gen5", c);
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_model("gpt2");
  b.set_dtype(FP32);
  b.set_batch(2);
  b.set_mode(GENERATE);
  b.mutable_generation()->set_new_tokens(kNew);
  *b.mutable_verify() = Parsed(kModel).benchmark_case().verify();
  c.mutable_implementation()->set_name("gpt2");
  c.mutable_implementation()->set_continued("input_ids");
  Workload& measured = *c.mutable_measured();
  measured.set_batch(2);
  for (const auto& [name, value] : std::map<std::string, int64_t>{{"vocab_size", kWords},
                                                                  {"n_positions", 12},
                                                                  {"n_embd", 16},
                                                                  {"n_layer", 2},
                                                                  {"n_head", 2}})
    (*measured.mutable_parameters())[name].set_integer(value);
  (*measured.mutable_parameters())["layer_norm_epsilon"].set_real(1e-5);
  AddTokens("input_ids", kPrompt, kWords, measured);
  AddTokens("continuation_ids", kNew - 1, kWords, measured);
  ExpectedOutput logits;
  logits.set_name("logits");
  logits.set_dtype(FP32);
  for (const int64_t size : {int64_t{2}, kPrompt, kWords}) logits.add_shape(size);
  SetOutputs(GenerationOutputs(logits, kNew), measured);
  return KnowingAllRows(std::move(c));
}

absl::StatusOr<Subject> WithReference(ResolvedCase c, const std::string& folder) {
  Subject subject = {.resolved = std::move(c), .path = ""};
  if (KindOf(subject.resolved).truth == TruthSource::kOwnFloat64) return subject;
  subject.path =
      absl::StrCat(folder, "/", subject.resolved.benchmark_case().name(), ".safetensors");
  const absl::Status exported = Export(subject.resolved, {.reference = subject.path});
  if (!exported.ok()) return exported;
  const auto bytes = tensor_files::ReadFile(subject.path, 1 << 20);
  if (!bytes.ok()) return bytes.status();
  subject.resolved.mutable_reference()->set_sha256(base::Sha256Hex(*bytes));
  return subject;
}

}  // namespace assay::runner

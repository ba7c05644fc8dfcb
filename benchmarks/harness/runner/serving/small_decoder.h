#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SMALL_DECODER_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SMALL_DECODER_H_

// ---------------------------------------------------------------------------------------------
// small_decoder.h: a case of a small GPT-2 for tests, with prompts of up to twelve tokens, or of a small
// Whisper, whose decoder begins with one. Replies have up to eight.
//
// Example:
//   SmallDecoder decoder;
//   ServedPrompts::Make(decoder.given(), decoder.generator(), 12);
// ---------------------------------------------------------------------------------------------

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/generation_program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"
#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

class SmallDecoder {
 public:
  explicit SmallDecoder(bool encoder = false) {
    const std::string model = encoder ? "whisper" : "gpt2";
    BenchmarkCase& b = *case_.mutable_benchmark_case();
    b.set_name(model + "_fp32_b2_gen8");
    b.set_label("//x:" + b.name());
    b.set_model(model);
    b.set_dtype(FP32);
    b.set_batch(2);
    b.set_mode(GENERATE);
    b.mutable_generation()->set_new_tokens(8);
    b.mutable_verify()->set_rule(RELATIVE_TO_STD);
    b.mutable_verify()->set_rms_limit(1e-5);
    b.mutable_verify()->set_max_limit(1e-4);
    b.mutable_verify()->set_provenance("here");
    ModelImplementation& implementation = *case_.mutable_implementation();
    implementation.set_name(model);
    implementation.set_continued(encoder ? "decoder_input_ids" : "input_ids");
    Workload& measured = *case_.mutable_measured();
    measured.set_batch(2);
    const std::map<std::string, int64_t> gpt2 = {
        {"vocab_size", 50}, {"n_positions", 20}, {"n_embd", 16}, {"n_layer", 2}, {"n_head", 2}};
    const std::map<std::string, int64_t> whisper = {{"vocab_size", 50},
                                                    {"num_mel_bins", 4},
                                                    {"d_model", 16},
                                                    {"layers", 2},
                                                    {"attention_heads", 2},
                                                    {"ffn_dim", 16},
                                                    {"max_source_positions", 6},
                                                    {"max_target_positions", 20}};
    for (const auto& [name, value] : encoder ? whisper : gpt2)
      (*measured.mutable_parameters())[name].set_integer(value);
    if (!encoder) (*measured.mutable_parameters())["layer_norm_epsilon"].set_real(1e-5);
    if (encoder) Add("input_features", false, {4, 12}, *implementation.add_inputs());
    Add(implementation.continued(), true, {encoder ? 1 : 12}, *implementation.add_inputs());
    Add("continuation_ids", true, {7}, *implementation.mutable_continuation());
    *case_.mutable_verified() = measured;
    SetSteps(case_);
    program_ = *execution::SeededProgram(case_, case_.measured());
    executable_ = execution::LoadEager(b.execution(), *program_);
  }

  ServingSettings settings;
  std::atomic<bool> interrupted = false;
  std::ostringstream out;

  ResolvedCase& c() { return case_; }
  const ResolvedCase& c() const { return case_; }
  // The case under load; it refers to this.
  ServedCase given() {
    return {.c = case_,
            .settings = settings,
            .request = request_,
            .executable = *executable_,
            .threads = 1,
            .interrupted = interrupted,
            .out = out,
            .doing = [](const std::string&) {},
            .give_up = [](Outcome, const std::string&) {},
            .done = [](const Served&) {}};
  }
  models::Generator& generator() const {
    return dynamic_cast<execution::GenerationProgram&>(*program_).generator();
  }

 private:
  // An input of two rows, which the implementation declares as `declared`: tokens, or frames of sound.
  void Add(const std::string& name, bool tokens, const std::vector<int64_t>& shape,
           InputSpec& declared) {
    TensorSpec& input = *case_.mutable_measured()->add_inputs();
    declared.set_name(name);
    declared.add_shape("batch");
    input.set_name(name);
    input.add_shape(2);
    for (const int64_t size : shape) {
      declared.add_shape(std::to_string(size));
      input.add_shape(size);
    }
    if (tokens) {
      declared.set_dtype(INT64);
      declared.mutable_distribution()->mutable_integers()->set_limit(50);
    } else {
      declared.mutable_distribution()->mutable_normal();
    }
    input.set_dtype(tokens ? INT64 : FP32);
    *input.mutable_distribution() = declared.distribution();
  }

  ResolvedCase case_;
  std::unique_ptr<execution::Program> program_;
  std::unique_ptr<execution::Executable> executable_;
  const execution::BackendRequest request_ = {.c = case_, .device = at::kCPU};
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SMALL_DECODER_H_

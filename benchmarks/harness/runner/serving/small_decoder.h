#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SMALL_DECODER_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SMALL_DECODER_H_

// ---------------------------------------------------------------------------------------------
// small_decoder.h: a case of a small GPT-2 for tests: prompts of up to twelve tokens, replies of up to
// eight.
//
// Example:
//   SmallDecoder decoder;
//   ServedPrompts::Make(decoder.c(), decoder.generator(), at::kCPU, 12, 0);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "benchmarks/harness/programs/generation_program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

class SmallDecoder {
 public:
  SmallDecoder() {
    BenchmarkCase& b = *case_.mutable_benchmark_case();
    b.set_name("gpt2_fp32_b2_s12_gen8");
    b.set_label("//x:gpt2_fp32_b2_s12_gen8");
    b.set_model("gpt2");
    b.set_dtype(FP32);
    b.set_batch(2);
    b.set_mode(GENERATE);
    b.mutable_generation()->set_new_tokens(8);
    b.mutable_verify()->set_rule(RELATIVE_TO_STD);
    b.mutable_verify()->set_rms_limit(1e-5);
    b.mutable_verify()->set_max_limit(1e-4);
    b.mutable_verify()->set_provenance("here");
    case_.mutable_implementation()->set_name("gpt2");
    Workload& measured = *case_.mutable_measured();
    measured.set_batch(2);
    for (const auto& [name, value] : std::map<std::string, int64_t>{{"vocab_size", 50},
                                                                    {"n_positions", 20},
                                                                    {"n_embd", 16},
                                                                    {"n_layer", 2},
                                                                    {"n_head", 2}})
      (*measured.mutable_parameters())[name].set_integer(value);
    (*measured.mutable_parameters())["layer_norm_epsilon"].set_real(1e-5);
    AddTokens("input_ids", 12, *case_.mutable_implementation()->add_inputs());
    AddTokens("continuation_ids", 7, *case_.mutable_implementation()->mutable_continuation());
    *case_.mutable_verified() = measured;
    SetSteps(case_);
    program_ = *execution::SeededProgram(case_, case_.measured());
  }

  ResolvedCase& c() { return case_; }
  const ResolvedCase& c() const { return case_; }
  execution::Program& program() { return *program_; }
  models::Generator& generator() const {
    return dynamic_cast<execution::GenerationProgram&>(*program_).generator();
  }

 private:
  void AddTokens(const std::string& name, int64_t tokens, InputSpec& declared) {
    declared.set_name(name);
    declared.set_dtype(INT64);
    declared.add_shape("batch");
    declared.add_shape(std::to_string(tokens));
    declared.mutable_distribution()->mutable_integers()->set_limit(50);
    TensorSpec& input = *case_.mutable_measured()->add_inputs();
    input.set_name(name);
    input.set_dtype(INT64);
    input.add_shape(2);
    input.add_shape(tokens);
    *input.mutable_distribution() = declared.distribution();
  }

  ResolvedCase case_;
  std::unique_ptr<execution::Program> program_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SMALL_DECODER_H_

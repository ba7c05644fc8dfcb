#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SMALL_MLP_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SMALL_MLP_H_

// ---------------------------------------------------------------------------------------------
// small_mlp.h: makes a case of the mlp family for tests: two rows of five features, without a
// reference.
//
// Example:
//   ResolvedCase c = SmallMlpCase();
//   c.mutable_benchmark_case()->set_dtype(BF16);
// ---------------------------------------------------------------------------------------------

#include <google/protobuf/text_format.h>

#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"
#include "gtest/gtest.h"

namespace assay::runner {

inline ResolvedCase SmallMlpCase() {
  ResolvedCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        benchmark_case {
          name: "mlp_fp32_b2"
          label: "//x:mlp_fp32_b2"
          model: "mlp"
          dtype: FP32
          batch: 2
          mode: EVAL
          verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "here" }
        }
        implementation {
          name: "mlp"
          inputs { name: "input" }
          outputs { name: "probabilities" }
        }
        verified {
          batch: 2
          inputs {
            name: "input"
            dtype: FP32
            shape: 2
            shape: 5
            distribution { uniform {} }
          }
          outputs { name: "probabilities" dtype: FP32 shape: 2 shape: 3 batched: true }
          parameters {
            key: "in_features"
            value { integer: 5 }
          }
          parameters {
            key: "hidden_features"
            value { integer: 7 }
          }
          parameters {
            key: "out_features"
            value { integer: 3 }
          }
        }
      )pb",
      &c));
  for (Workload* workload : {c.mutable_measured(), c.mutable_smoke(), c.mutable_referenced()}) {
    *workload = c.verified();
  }
  SetSteps(c);
  return c;
}

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SMALL_MLP_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_SCALED_PLACES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_SCALED_PLACES_H_

// ---------------------------------------------------------------------------------------------
// scaled_places.h: a case for tests: each element of a row, times the weight of its place. Rows may be
// as long as the table of weights, which has twelve.
//
// Example:
//   ResolvedCase c = ScaledPlacesCase();        // two rows of four elements
// ---------------------------------------------------------------------------------------------

#include <google/protobuf/text_format.h>

#include "defs/case/case_steps.h"
#include "defs/compiler/case_resolution.h"
#include "defs/proto/suite.pb.h"
#include "gtest/gtest.h"

namespace assay::runner {

inline ResolvedCase ScaledPlacesCase() {
  Family family;
  BenchmarkCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        implementations {
          name: "scaled_places"
          description: "x"
          owner: "x"
          reference: OWN_FLOAT64
          unit: "token"
          units_per_call: "batch*tokens"
          parameters {
            name: "tokens"
            kind: "integer"
            default_value { integer: 4 }
            minimum: 1
            maximum: 100
          }
          parameters {
            name: "places"
            kind: "integer"
            default_value { integer: 12 }
            minimum: 1
            maximum: 100
          }
          parameters {
            name: "learned"
            kind: "integer"
            default_value { integer: 1 }
            minimum: 1
            maximum: 100
          }
          inputs {
            name: "x"
            shape: "batch"
            shape: "learned*tokens"
            distribution { uniform {} }
          }
          outputs { name: "y" shape: "batch" shape: "learned*tokens" }
          checkpoint_configs {
            model_type: "x"
            keys { parameter: "places" names: "places" reaches: "tokens+1-1" }
          }
        }
        models { name: "scaled_places" implementation: "scaled_places" }
      )pb",
      &family));
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        name: "scaled_places_fp32_b2"
        label: "//x:scaled_places_fp32_b2"
        model: "scaled_places"
        dtype: FP32
        batch: 2
        mode: EVAL
        verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "here" }
      )pb",
      &c));
  Problems problems;
  ResolvedCase resolved =
      Resolve(family, c, {.key = "scaled_places_fp32_b2", .rows = 2}, {}, "test", &problems);
  for (const std::string& problem : problems) ADD_FAILURE() << problem;
  SetSteps(resolved);
  return resolved;
}

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_SCALED_PLACES_H_

// File: case_checks.h
//
// The checks behind case_resolution.h. Not for use outside of :case_resolution; include that one.
//
//   Problems problems;
//   CheckCase(c, "//benchmarks/resnet:x", &problems);  // one sentence each, beginning with `where`
#ifndef ASSAY_DEFS_COMPILER_CASE_CHECKS_H_
#define ASSAY_DEFS_COMPILER_CASE_CHECKS_H_

#include <string>
#include <string_view>

#include "defs/compiler/case_resolution.h"
#include "defs/proto/suite.pb.h"

namespace assay {

using ParameterMap = google::protobuf::Map<std::string, ParameterValue>;

// The family's implementation of this name, or null.
const ModelImplementation* FindImplementation(const Family& family, const std::string& name);

// Each value must belong to a declared parameter, and be of its kind and in its range.
void CheckParameters(const ModelImplementation& implementation, const ParameterMap& values,
                     const std::string& where, Problems* problems);

// Checks everything about a case that needs no model.
void CheckCase(const BenchmarkCase& c, const std::string& where, Problems* problems);

// The implementation must have the case's mode, and the case must say all that the mode needs.
void CheckMode(const ModelImplementation& implementation, const BenchmarkCase& c,
               const std::string& where, Problems* problems);

// A name must be possible for targets and files or, for a tensor, for implementations.
void RequireName(std::string_view what, std::string_view name, bool is_tensor,
                 const std::string& where, Problems* problems);

// Checks what implementations and operator calls both declare.
void CheckTensors(const google::protobuf::RepeatedPtrField<InputSpec>& inputs,
                  const google::protobuf::RepeatedPtrField<OutputSpec>& outputs,
                  const std::string& where, Problems* problems);

// The operator call must be complete, and use nothing that only a model has.
void CheckOperatorCall(const BenchmarkCase& c, const std::string& where, Problems* problems);

// If an output has a rule of its own, the case must have that rule's limits. `case_dtype` is the
// dtype of outputs without one.
void CheckOutputRules(const google::protobuf::RepeatedPtrField<OutputSpec>& outputs,
                      Dtype case_dtype, const VerifyParameters& verify, const std::string& where,
                      Problems* problems);

// INT64, INT32, INT8, UINT8, BOOL: these are compared by EXACT.
bool HoldsIntegers(Dtype dtype);

}  // namespace assay

#endif  // ASSAY_DEFS_COMPILER_CASE_CHECKS_H_

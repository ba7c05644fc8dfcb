// File: case_checks.h
//
// The checks that case_resolution.h makes on the way. Not for anything outside of :case_resolution,
// which is what to include.
//
//   Problems problems;
//   CheckCase(c, "//benchmarks/resnet:x", &problems);  // one sentence each, beginning with `where`
#ifndef ASSAY_DEFS_CASE_CHECKS_H_
#define ASSAY_DEFS_CASE_CHECKS_H_

#include <string>
#include <string_view>

#include "defs/case_resolution.h"
#include "defs/suite.pb.h"

namespace assay {

using ParameterMap = google::protobuf::Map<std::string, ParameterValue>;

// The family's implementation of this name, or null.
const ModelImplementation* FindImplementation(const Family& family, const std::string& name);

// Every value is one of a declared parameter, of its kind and in its range.
void CheckParameters(const ModelImplementation& implementation, const ParameterMap& values,
                     const std::string& where, Problems* problems);

// Everything about a case that needs no model.
void CheckCase(const BenchmarkCase& c, const std::string& where, Problems* problems);

// The case's mode is one that the implementation has, and the case says all that the mode needs.
void CheckMode(const ModelImplementation& implementation, const BenchmarkCase& c,
               const std::string& where, Problems* problems);

// A name is one that targets and files can have or, where it is a tensor's, implementations.
void RequireName(std::string_view what, std::string_view name, bool is_tensor,
                 const std::string& where, Problems* problems);

// What an implementation and an operator call alike declare.
void CheckTensors(const google::protobuf::RepeatedPtrField<InputSpec>& inputs,
                  const google::protobuf::RepeatedPtrField<OutputSpec>& outputs,
                  const std::string& where, Problems* problems);

// Its operator call is complete, and asks for nothing that only a model has.
void CheckOperatorCall(const BenchmarkCase& c, const std::string& where, Problems* problems);

// An output with a rule of its own finds that rule's limits among the case's. `case_dtype` is that of outputs without
// one.
void CheckOutputRules(const google::protobuf::RepeatedPtrField<OutputSpec>& outputs,
                      Dtype case_dtype, const VerifyParameters& verify, const std::string& where,
                      Problems* problems);

// INT64, INT32, BOOL: compared by EXACT.
bool HoldsIntegers(Dtype dtype);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_CHECKS_H_

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

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_CHECKS_H_

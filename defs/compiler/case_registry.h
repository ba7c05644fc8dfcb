// File: case_registry.h
//
// Registries in which a model and an implementation stand once, however many cases they have. Not
// for reading files or for checking cases (case_resolution.h).
//
//   assay::Registry registry;
//   std::string problem = assay::AddCase(resolved, &registry);   // takes model and code out of it
//   ...
//   assay::ResolvedCase c = registry.cases(0);
//   if (!assay::JoinCase(registry, &c)) ...                        // puts them in again
#ifndef ASSAY_DEFS_COMPILER_CASE_REGISTRY_H_
#define ASSAY_DEFS_COMPILER_CASE_REGISTRY_H_

#include <string>

#include "defs/proto/suite.pb.h"

namespace assay {

// Adds a case with its model and its implementation. An operator's case keeps its own, since no
// other has the same. The result is empty, or says which of them is already there with other
// content.
std::string AddCase(const ResolvedCase& resolved_case, Registry* registry);

// Adds everything in a registry as read from a file; the result as above.
std::string AddRegistry(const Registry& from, Registry* registry);

// Fills in model, implementation and limits under autocast of a case of this registry; false if it
// does not have the first two.
bool JoinCase(const Registry& registry, ResolvedCase* resolved_case);

}  // namespace assay

#endif  // ASSAY_DEFS_COMPILER_CASE_REGISTRY_H_

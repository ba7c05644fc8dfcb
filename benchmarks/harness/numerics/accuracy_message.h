#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_ACCURACY_MESSAGE_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_ACCURACY_MESSAGE_H_

// ---------------------------------------------------------------------------------------------
// accuracy_message.h: the message for a person when an output's values are wrong.
//
// Not for: deciding whether they are wrong (rules.h), nor for the lines on device and reproduction,
// which the runner adds because only it knows them.
//
// Example:
//   verdict.set_message(AccuracyMessage(verdict, result, *reference.Find("logits"), reference));
// ---------------------------------------------------------------------------------------------

#include <string>

#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/numerics/rules.h"
#include "defs/proto/record.pb.h"

namespace assay::numerics {

// `verdict` has its name, elements and worst element; comparison.h shows a message. No end of line
// at the end.
std::string AccuracyMessage(const OutputVerdict& verdict, const RuleResult& result,
                            const ReferenceOutput& want, const ReferenceOutputs& reference);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_ACCURACY_MESSAGE_H_

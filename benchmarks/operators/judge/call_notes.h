#ifndef ASSAY_BENCHMARKS_OPERATORS_JUDGE_CALL_NOTES_H_
#define ASSAY_BENCHMARKS_OPERATORS_JUDGE_CALL_NOTES_H_

// What is known of an operator whose results cannot be judged like others'. Each text is the reason;
// empty: it does not hold.

#include <string>

namespace assay::operators {

struct CallNotes {
  std::string free = {};    // results cannot be compared
  std::string first = {};   // only the first can
  std::string alias = {};   // results may be the arguments' memory
  std::string writes = {};  // arguments may change
  std::string lacks = {};   // some results may be empty or hold NaN

  bool operator==(const CallNotes&) const = default;
};

}  // namespace assay::operators

#endif  // ASSAY_BENCHMARKS_OPERATORS_JUDGE_CALL_NOTES_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_CHECKPOINT_MISFIT_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_CHECKPOINT_MISFIT_H_

// ---------------------------------------------------------------------------------------------
// checkpoint_misfit.h: in what a checkpoint and a model differ, as text for a person.
//
// Not for: deciding that (checkpoint_loading.h).
//
// Example:
//   Misfit misfit{.missing = {"fc.weight"}, .unexpected = {"module.fc.weight"}};
//   std::cerr << misfit.Text();   // lists both and says what is in front of the names
// ---------------------------------------------------------------------------------------------

#include <map>
#include <set>
#include <string>

namespace assay::execution {

struct Misfit {
  std::set<std::string> missing = {};                 // the model's, not in the checkpoint
  std::set<std::string> unexpected = {};              // the other way round
  std::map<std::string, std::string> misshaped = {};  // name -> how
  std::map<std::string, std::string> mistyped = {};

  bool any() const {
    return !missing.empty() || !unexpected.empty() || !misshaped.empty() || !mistyped.empty();
  }

  // A line for each list that is not empty, cut after 20 names, and a hint where most of the names
  // differ by one prefix such as "module.". No end of line.
  std::string Text() const;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_CHECKPOINT_MISFIT_H_

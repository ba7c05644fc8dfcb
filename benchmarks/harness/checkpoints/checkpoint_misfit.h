#ifndef ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_MISFIT_H_
#define ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_MISFIT_H_

// ---------------------------------------------------------------------------------------------
// checkpoint_misfit.h: describes how a checkpoint differs from a model, for a person.
//
// Not for: deciding that (checkpoint_plan.h, checkpoint_loading.h).
//
// Example:
//   Misfit misfit{.missing = {"net.fc.weight"}, .unexpected = {"fc.weight"}};
//   std::cerr << misfit.Text();   // lists both and says what is not in front of the names
// ---------------------------------------------------------------------------------------------

#include <map>
#include <set>
#include <string>

namespace assay::checkpoints {

struct Misfit {
  std::set<std::string> missing = {};               // the model's, not in the checkpoint
  std::set<std::string> unexpected = {};            // the other way round
  std::map<std::string, std::string> doubled = {};  // name -> how
  std::map<std::string, std::string> misshaped = {};
  std::map<std::string, std::string> mistyped = {};
  std::string hint = {};        // what would make it fit
  std::string looks_like = {};  // an architecture (checkpoint_likeness.h), where it is known

  bool any() const {
    return !missing.empty() || !unexpected.empty() || !doubled.empty() || !misshaped.empty() ||
           !mistyped.empty();
  }

  // A line for each list that is not empty, cut after 20 names, the hint or, where most of the
  // missing names lack one prefix in the file, that, and what it looks like. No end of line.
  std::string Text() const;
};

}  // namespace assay::checkpoints

#endif  // ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_MISFIT_H_

// -----------------------------------------------------------------------------
// File: selection.h
// -----------------------------------------------------------------------------
//
// Chooses cases of the registry by name, model, tag, tier and provenance of the reference.
//
// Regular expressions match anywhere in a case's name or label, ignoring upper and lower case, or
// the whole name of its model, here or in another suite: like -k and -x of PyTorch/XLA and
// TorchDynamo, where "^alexnet$" is a benchmark. One without "$" also matches a part of what another
// suite calls the model: "^hf_". Filters, exact names and tiers are joined by "or";
// tags and provenances then narrow the choice, and exclusions remove from it. A tier takes each of
// its models in one batch, that of the other suite where it is here. A suite narrows the choice to the
// counterparts of its models.
//
// Not for dtype, test and batch, which are factors of the product (plan.h).
//
//   absl::StatusOr<std::vector<ChosenCase>> chosen =
//       SelectCases(registry, {.filters = {"^mlp_"}}, tiers);

#ifndef ASSAY_TOOLS_SUITE_PLAN_SELECTION_H_
#define ASSAY_TOOLS_SUITE_PLAN_SELECTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"
#include "tools/suite/plan/suite_data.pb.h"

namespace assay::suite {

struct Selection {
  std::string suite = {};                  // only models that this suite has, too; empty: any
  std::vector<std::string> filters = {};   // regular expressions
  std::vector<std::string> excludes = {};  // regular expressions
  std::vector<std::string> only = {};      // names of cases or of models, here or there; or labels
  std::vector<int> tiers = {};
  std::vector<int> excluded_tiers = {};
  bool every_batch = false;            // of a tier's models
  std::vector<std::string> tags = {};  // any one of them
  std::vector<std::string> excluded_tags = {};
  std::vector<std::string> provenances = {};  // regular expressions for provenances of references
};

// Whether no case is left out.
inline bool IsEverything(const Selection& s) {
  return s.suite.empty() && s.filters.empty() && s.excludes.empty() && s.only.empty() &&
         s.tiers.empty() && s.excluded_tiers.empty() && s.tags.empty() && s.excluded_tags.empty() &&
         s.provenances.empty();
}

struct ChosenCase {
  const ResolvedCase* resolved = nullptr;  // the registry's case
  bool by_name = false;                    // whether --only has its exact name or label
};

// In the registry's order. InvalidArgument for an unknown name, tag or tier, with similar ones, and
// for a regular expression that cannot be matched; NotFound, with similar names, if nothing is
// left.
absl::StatusOr<std::vector<ChosenCase>> SelectCases(const Registry& registry,
                                                    const Selection& selection,
                                                    const OtherSuites& others);

// "hf_Reformer: left out: why" for each model of other suites that a selection's filters or tiers
// take and that has no counterpart. InvalidArgument as of SelectCases().
absl::StatusOr<std::vector<std::string>> AbsentModels(const Selection& selection,
                                                      const OtherSuites& others);

// One line for each model that the suite has, or that any suite names if `suite` is empty: "done",
// "done as" its counterparts in this tree, or "left out" and why. FailedPrecondition that names a model
// which has neither counterparts nor a reason, or both. InvalidArgument for an unknown suite.
absl::StatusOr<std::string> OtherModelList(const Registry& registry, const OtherSuites& others,
                                           const std::string& suite = {});

// "torchbench: 104 models: 20 done, 30 done under another name, 54 left out; --suite=torchbench --list
// says which". Errors of OtherModelList().
absl::StatusOr<std::string> SuiteSummary(const Registry& registry, const OtherSuites& others,
                                         const std::string& suite);

// One line for each model of a tier: its counterparts in this tree, or that there are none.
std::string TierList(const Registry& registry, const OtherSuites& others);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_SELECTION_H_

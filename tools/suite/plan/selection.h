// -----------------------------------------------------------------------------
// File: selection.h
// -----------------------------------------------------------------------------
//
// Which cases of the registry, by name, model, tag, tier and who computed the reference.
//
// Regular expressions are searched for anywhere in a case's name or label, whatever the case of
// their letters, as PyTorch/XLA's and TorchDynamo's -k and -x are. Filters, exact names and tiers
// are joined by "or"; then tags and provenances narrow, and exclusions take away.
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
#include "defs/suite.pb.h"
#include "tools/suite/plan/suite_data.pb.h"

namespace assay::suite {

struct Selection {
  std::vector<std::string> filters = {};   // regular expressions
  std::vector<std::string> excludes = {};  // likewise
  std::vector<std::string> only = {};      // names of cases or of models, or labels
  std::vector<int> tiers = {};
  std::vector<int> excluded_tiers = {};
  std::vector<std::string> tags = {};  // one of them
  std::vector<std::string> excluded_tags = {};
  std::vector<std::string> provenances = {};  // regular expressions, of references
};

struct ChosenCase {
  const ResolvedCase* resolved = nullptr;  // of the registry
  bool by_name = false;                    // --only has its very name or label
};

// The model's name, or an operator's.
const std::string& ModelOf(const ResolvedCase& c);

// In the registry's order. InvalidArgument for a name, tag or tier that there is not, with the
// nearest ones, and for a regular expression that cannot be matched; NotFound, with the nearest
// names, where nothing is left.
absl::StatusOr<std::vector<ChosenCase>> SelectCases(const Registry& registry,
                                                    const Selection& selection, const Tiers& tiers);

// One line for each model of a tier: what of this tree it is, or that there is none.
std::string TierList(const Registry& registry, const Tiers& tiers);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_SELECTION_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_PLAN_H_
#define ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_PLAN_H_

// ---------------------------------------------------------------------------------------------
// checkpoint_plan.h: decides which tensor of a checkpoint fills which tensor of a model, from the
// names alone.
//
// Published checkpoints have the original library's names, with these exceptions:
//
//   a prefix    one more module around the model: "bert.", "module.", "_orig_mod.", "model.bert.".
//               Taken to be there where at least half of the model's names are found behind it.
//   no prefix   the implementation's base alone, "wte.weight" for "transformer.wte.weight".
//   gamma/beta  what weight and bias of a norm were called: read as those.
//   stacks      tensors that files hold in parts, an expert each (checkpoint_loading.h).
//   renamings   older names that the implementation declares: read as today's.
//   extras      buffers that nobody reads, heads of larger models: what the implementation declares
//               (suite.proto: CheckpointExtras) is left out. A head may have the prefix or its
//               first parts in front: "module.classifier.bias" beside "module.bert.pooler.…".
//   counters    num_batches_tracked, which old files lack: all of them may be absent, and keep 0.
//   tied names  one of the names of a tensor is enough.
//   ignored     what the user names by --weights-ignore is left out.
//
// There are no others: a tensor that is missing, left over or present under two names is a misfit.
// Notes() says what was done, so that a wrong guess can be seen.
//
// Not for: shapes, dtypes, copying (checkpoint_loading.h).
//
// Example:
//   absl::StatusOr<CheckpointPlan> plan =
//       PlanCheckpoint({{"fc.bias", "fc.bias"}}, {"module.fc.bias"}, {});
//   plan->sources["fc.bias"];   // "module.fc.bias"
//   plan->Notes();              // 1 tensor has "module." in front of its name
// ---------------------------------------------------------------------------------------------

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/checkpoints/checkpoint_misfit.h"
#include "defs/proto/suite.pb.h"

namespace assay::checkpoints {

// Each name of a model's state with the first name of its tensor: itself, unless the tensor is
// tied.
using ModelNames = std::map<std::string, std::string>;
using FileNames = std::set<std::string>;

// Extra rules about the file's names.
struct LoadingRules {
  CheckpointExtras extras = {};           // declared by the model's implementation
  std::string prefix = {};                // as the user gave it; empty: detected
  std::vector<std::string> ignored = {};  // first parts of names, as the user gave them
};

struct CheckpointPlan {
  std::string prefix;  // prefix of the file's names
  std::string base;    // prefix of the model's names that the file's lack; "": none
  std::map<std::string, std::string> sources;  // the model's name -> the file's
  int renamed = 0;                             // sources named gamma or beta
  std::set<std::string> older;  // sources whose names the implementation's renamings translate
  // Names of the file that are left out.
  std::set<std::string> buffers, heads, outside, ignored;
  std::set<std::string> counters;  // names of the model that the file lacks; these keep their value
  Misfit misfit;                   // missing, unexpected, doubled

  // The differences from a file with exactly the model's names, one sentence each; empty if there
  // are none.
  std::vector<std::string> Notes() const;
};

// A last '.' of the rules' prefix may be missing; names without the prefix are left out.
// InvalidArgument where no name begins with a given prefix or an ignored part, or where two detected
// prefixes fit equally well.
absl::StatusOr<CheckpointPlan> PlanCheckpoint(const ModelNames& model, const FileNames& file,
                                              const LoadingRules& rules);

}  // namespace assay::checkpoints

#endif  // ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_PLAN_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_CHECKPOINT_LIKENESS_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_CHECKPOINT_LIKENESS_H_

// ---------------------------------------------------------------------------------------------
// checkpoint_likeness.h: which well-known architecture a list of tensor names is, for the message
// about a checkpoint that does not fit.
//
// It goes by a telltale part of a name, and by how many blocks are numbered ("encoder.layer.23" is
// the last of 24). The guess is for a person; nothing is decided by it.
//
// Example:
//   LooksLike({"h.0.attn.c_attn.weight"}, {"layer1.0.conv1.weight"});   // "GPT-2 (transformers)"
// ---------------------------------------------------------------------------------------------

#include <set>
#include <string>

namespace assay::execution {

// What the file's names look like, where that says more than the lists of differing names: another
// architecture than the model's, or the same with other counts of blocks. Empty: nothing known.
std::string LooksLike(const std::set<std::string>& file, const std::set<std::string>& model);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_CHECKPOINT_LIKENESS_H_

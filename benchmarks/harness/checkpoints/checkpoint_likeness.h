#ifndef ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_LIKENESS_H_
#define ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_LIKENESS_H_

// ---------------------------------------------------------------------------------------------
// checkpoint_likeness.h: guesses the well-known architecture behind a list of tensor names, for the
// message about a checkpoint that does not fit.
//
// It looks for a telltale part of a name, and counts numbered blocks ("encoder.layer.23" is the
// last of 24). The guess is for a person; no code depends on it.
//
// Example:
//   LooksLike({"h.0.attn.c_attn.weight"}, {"layer1.0.conv1.weight"});   // "GPT-2 (transformers)"
// ---------------------------------------------------------------------------------------------

#include <set>
#include <string>

namespace assay::checkpoints {

// Describes the architecture that the file's names suggest, if that helps more than the lists of
// differing names: another architecture than the model's, or the same with another number of
// blocks. Empty: nothing known.
std::string LooksLike(const std::set<std::string>& file, const std::set<std::string>& model);

}  // namespace assay::checkpoints

#endif  // ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_LIKENESS_H_

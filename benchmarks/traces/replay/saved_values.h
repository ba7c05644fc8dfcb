#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_SAVED_VALUES_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_SAVED_VALUES_H_

// ---------------------------------------------------------------------------------------------
// saved_values.h: the values that a capture of this suite has left (harness/trace/capture.h): memory
// that no operator had filled when one read it, and the state of the random numbers at the start.
//
// Example:
//   absl::StatusOr<SavedValues> saved = ReadSavedValues("step.json", trace);
//   at::Tensor bytes = saved->snapshots.at("storage/7/12");
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/traces/reader/trace_file.h"

namespace assay::traces {

struct SavedValues {
  std::map<std::string, at::Tensor> snapshots = {};  // bytes of a whole storage, of one dimension
  at::Tensor generator = {};  // LibTorch's CPU generator; undefined: the trace has no state
  bool exact = false;         // the trace names all numbers of the program that stand as tensors
  bool digests = false;       // the trace has digests of results

  // Gives back the memory of a snapshot that was copied; it is read again when it is used.
  void Release(const at::Tensor& snapshot) const;

  std::shared_ptr<const tensor_files::MappedFile> file = {};  // that the snapshots lie in
};

// The file <name>.values.safetensors beside the trace. A trace that names no snapshot needs none.
// Errors of MappedFile::Open() and ParseSafetensors(); NotFound, naming the file, where it isn't there; InvalidArgument where it
// lacks a tensor that the trace names.
absl::StatusOr<SavedValues> ReadSavedValues(const std::string& path, const Trace& trace);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_SAVED_VALUES_H_

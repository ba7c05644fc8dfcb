#ifndef ASSAY_TOOLS_RUN_MODEL_FILE_KIND_H_
#define ASSAY_TOOLS_RUN_MODEL_FILE_KIND_H_

// ---------------------------------------------------------------------------------------------
// file_kind.h: which back end runs a model's file, told by what the file holds. Names tell nothing:
// .pt may be a module or a pickle of weights, .pt2 an exported graph or a compiled library.
//
// Only the directory of an archive is read here, and nothing in it is loaded.
//
// Example:
//   absl::StatusOr<FileKind> kind = KindOf("model.pt2", /*backend=*/"");
//   kind->backend   // "exported"
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace assay::run_model {

struct FileKind {
  std::string_view backend;  // that runs it
  std::string_view name;     // "TorchScript"
  std::string_view may_do;   // what running the file may do besides computing, for a person
  bool native = false;       // it holds machine code, which is loaded into this process
};

// `backend`: where a file is of several kinds, the one that is wanted; empty: the first that fits.
// InvalidArgument for a file that no back end runs, or not the one that is wanted; errors of
// MappedFile::Open where it cannot be read.
absl::StatusOr<FileKind> KindOf(const std::string& path, std::string_view backend);

}  // namespace assay::run_model

#endif  // ASSAY_TOOLS_RUN_MODEL_FILE_KIND_H_

#ifndef ASSAY_BENCHMARKS_BACKENDS_FOREIGN_LIBRARY_H_
#define ASSAY_BENCHMARKS_BACKENDS_FOREIGN_LIBRARY_H_

// ---------------------------------------------------------------------------------------------
// foreign_library.h: what back ends need of a runtime that is another project's shared library: to
// open it when it is first called, so that no other back end waits for it or has its symbols, and
// its numbers for types of elements.
//
// Example:
//   absl::StatusOr<ForeignLibrary> library = ForeignLibrary::Open("ONNX Runtime", "libonnxruntime.so");
//   auto api = reinterpret_cast<Base* (*)()>(library->Find("OrtGetApiBase"));
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::backends {

class ForeignLibrary {
 public:
  // Never closed, since its threads may outlive us. Unavailable where it is not there.
  static absl::StatusOr<ForeignLibrary> Open(std::string name, const std::string& file);
  // The address of a function that it exports. Throws c10::Error where there is none.
  void* Find(const char* function) const;

 private:
  ForeignLibrary(std::string name, void* handle) : name_(std::move(name)), handle_(handle) {}

  std::string name_;
  void* handle_;
};

// Both ways throw c10::Error for a type that is not in the table.
class ElementTypes {
 public:
  // `names`: of the library's types, each at its number; for messages.
  ElementTypes(std::string library, std::vector<std::pair<int, at::ScalarType>> numbers,
               std::vector<std::string> names)
      : library_(std::move(library)), numbers_(std::move(numbers)), names_(std::move(names)) {}
  // `whose`: the tensor that has the type, for the message: "input x".
  at::ScalarType ScalarTypeOf(int number, const std::string& whose) const;
  int NumberOf(at::ScalarType type) const;

 private:
  const std::string library_;
  const std::vector<std::pair<int, at::ScalarType>> numbers_;
  const std::vector<std::string> names_;
};

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_FOREIGN_LIBRARY_H_

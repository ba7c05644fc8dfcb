#include "benchmarks/backends/foreign_library.h"

#include <c10/util/Exception.h>
#include <dlfcn.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::backends {

absl::StatusOr<ForeignLibrary> ForeignLibrary::Open(std::string name, const std::string& file) {
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return ForeignLibrary(std::move(name), handle);
  return absl::UnavailableError(
      absl::StrCat(name, "'s library cannot be opened: ", dlerror(), "; build the program again"));
}

void* ForeignLibrary::Find(const char* function) const {
  void* const found = dlsym(handle_, function);
  TORCH_CHECK(found != nullptr, name_, "'s library has no ", function);
  return found;
}

at::ScalarType ElementTypes::ScalarTypeOf(int number, const std::string& whose) const {
  for (const auto& [known, type] : numbers_) {
    if (known == number) return type;
  }
  const bool named = number >= 0 && static_cast<size_t>(number) < names_.size();
  TORCH_CHECK(
      false, whose, " holds ",
      named ? names_[static_cast<size_t>(number)] : absl::StrCat(library_, "'s type ", number),
      ", which cannot be given to a model here; put a cast to another type in front of it");
}

int ElementTypes::NumberOf(at::ScalarType type) const {
  for (const auto& [number, known] : numbers_) {
    if (known == type) return number;
  }
  TORCH_CHECK(false, library_, " takes no inputs of ", c10::toString(type), " here");
}

}  // namespace assay::backends

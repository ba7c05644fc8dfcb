#include "models/parameters.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace assay::models {
namespace {

[[noreturn]] void Abort(std::string_view name, const char* problem, const char* kind) {
  std::fprintf(stderr, "assay::models::Parameters: parameter \"%.*s\" %s %s\n",
               static_cast<int>(name.size()), name.data(), problem, kind);
  std::abort();
}

}  // namespace

void Parameters::Set(std::string_view name, Value value) {
  values_.insert_or_assign(std::string(name), std::move(value));
}

template <typename T>
const T& Parameters::Get(std::string_view name, const char* kind) const {
  const auto found = values_.find(name);
  if (found == values_.end()) Abort(name, "was not set; wanted:", kind);
  const T* value = std::get_if<T>(&found->second);
  if (value == nullptr) Abort(name, "is not of kind", kind);
  return *value;
}

int64_t Parameters::Integer(std::string_view name) const { return Get<int64_t>(name, "integer"); }

double Parameters::Real(std::string_view name) const { return Get<double>(name, "real"); }

bool Parameters::Flag(std::string_view name) const { return Get<bool>(name, "flag"); }

const std::string& Parameters::Text(std::string_view name) const {
  return Get<std::string>(name, "text");
}

const std::vector<int64_t>& Parameters::Integers(std::string_view name) const {
  return Get<std::vector<int64_t>>(name, "integers");
}

}  // namespace assay::models

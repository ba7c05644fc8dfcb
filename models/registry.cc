#include "models/registry.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::models {
namespace {

using Table = std::map<std::string, Factory, std::less<>>;

// A function-local static, since registration runs before main() in an unknown order. It is never
// destroyed, as other static objects may still use it at exit.
Table& Registered() {
  static Table& table = *new Table;
  return table;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Model>> Create(std::string_view implementation,
                                              const Parameters& parameters) {
  const auto found = Registered().find(implementation);
  if (found == Registered().end()) {
    return absl::NotFoundError(absl::StrCat(
        "model implementation \"", std::string(implementation),
        "\" is not linked into this program, which has: ", absl::StrJoin(Implementations(), ", "),
        "; add its cc_library (alwayslink = True) to the program's deps"));
  }
  return found->second(parameters);
}

std::vector<std::string> Implementations() {
  std::vector<std::string> names;
  for (const auto& [name, factory] : Registered()) names.push_back(name);
  return names;
}

bool Register(std::string_view implementation, Factory factory) {
  if (!Registered().emplace(implementation, factory).second) {
    std::fprintf(stderr, "model implementation \"%.*s\" is registered twice\n",
                 static_cast<int>(implementation.size()), implementation.data());
    std::abort();
  }
  return true;
}

}  // namespace assay::models

#include "benchmarks/operators/kernel/loaded_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <dlfcn.h>

#include <filesystem>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::override {
namespace {

std::set<std::string> Registered() {
  std::set<std::string> names;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames())
    names.insert(c10::toString(name));
  return names;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> LoadOperators(const std::string& library) {
  const std::set<std::string> before = Registered();
  // With a slash in the path, the loader takes the file and does not search its own folders.
  const std::string path = std::filesystem::absolute(library).string();
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    return absl::FailedPreconditionError(absl::StrCat("cannot be loaded: ", dlerror()));
  std::vector<std::string> own;
  for (const std::string& name : Registered()) {
    if (before.count(name) == 0) own.push_back(name);
  }
  return own;
}

absl::StatusOr<std::string> ChosenOperator(const std::vector<std::string>& own,
                                           const std::string& asked) {
  const std::string names = absl::StrJoin(own, ", ");
  if (asked.empty()) {
    if (own.size() == 1) return own.front();
    return absl::InvalidArgumentError(
        own.empty()
            ? std::string("registers no operator; TORCH_LIBRARY(mine, m) { m.def(...); } does")
            : absl::StrCat("registers ", own.size(), " operators; choose with --op: ", names));
  }
  for (const std::string& name : own) {
    if (name == asked || name.substr(0, name.find('.')) == asked) return name;
  }
  return absl::InvalidArgumentError(absl::StrCat("registers no operator '", asked,
                                                 "'; it registers ", own.empty() ? "none" : names));
}

}  // namespace assay::override

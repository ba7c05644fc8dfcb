#include "benchmarks/harness/execution/backend.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "defs/case/execution_names.h"

namespace assay::execution {
namespace {

using Backends = std::map<std::string, std::unique_ptr<Backend>, std::less<>>;

// Filled before main(), never destroyed.
Backends& Registered() {
  static Backends& backends = *new Backends;
  return backends;
}

}  // namespace

bool RegisterBackend(std::string_view name, std::unique_ptr<Backend> backend) {
  if (!Registered().emplace(name, std::move(backend)).second) {
    std::fprintf(stderr, "two libraries register a back end called %.*s; link one of them\n",
                 static_cast<int>(name.size()), name.data());
    std::abort();
  }
  return true;
}

absl::StatusOr<const Backend*> FindBackend(const Execution& execution) {
  const std::string name = BackendName(execution);
  const auto found = Registered().find(name);
  if (found != Registered().end()) return found->second.get();
  if (IsLinkable(name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--backend=", name, ": this program was built without it; tools/bazel run --//",
        "benchmarks/backends=", kBackendsPackage, name, " //benchmarks/FAMILY:CASE -- ",
        "--backend=", name, " links it"));
  }
  std::vector<std::string_view> names;
  for (const auto& [known, backend] : Registered()) names.push_back(known);
  return absl::InvalidArgumentError(
      absl::StrCat("--backend=", name, ": this program has ", absl::StrJoin(names, ", "),
                   "; tools/bazel run --//benchmarks/backends=", kBackendsPackage, "NAME … links ",
                   LinkableText(" or "), ", and //the:library in its place one of your own"));
}

absl::StatusOr<std::unique_ptr<Executable>> Load(const BackendRequest& request, Program& program) {
  const absl::StatusOr<const Backend*> backend =
      FindBackend(request.c.benchmark_case().execution());
  if (!backend.ok()) return backend.status();
  if (absl::Status possible = (*backend)->Check(request, program); !possible.ok()) return possible;
  absl::StatusOr<std::unique_ptr<Executable>> executable;
  const absl::Status caught = base::CatchTorch("preparing the program for its execution", [&] {
    executable = (*backend)->Load(request, program);
  });
  if (!caught.ok()) return caught;
  return executable;
}

}  // namespace assay::execution

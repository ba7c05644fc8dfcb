// The process in which `param` (param.cc) has operators measured. Users do not start it.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/operators/param/child_run.h"

namespace {

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  const absl::StatusOr<assay::param::Settings> settings = assay::param::ParseSettings(words);
  if (settings.ok() && settings->child) return assay::param::ChildRun(*settings).Execute();
  return absl::InvalidArgumentError("it is started by param");
}

}  // namespace

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(
      argc, argv, {.name = "param_child", .run = Main, .leaves_at_once = true});
}

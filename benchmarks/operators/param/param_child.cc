// The process in which `param` (param.cc) has operators measured. Users do not start it.
#include <iostream>
#include <string>
#include <vector>

#include "benchmarks/operators/param/child_run.h"

int main(int argc, char** argv) {
  const absl::StatusOr<assay::param::Settings> settings =
      assay::param::ParseSettings(std::vector<std::string>(argv + 1, argv + argc));
  if (settings.ok() && settings->child) return assay::param::ChildRun(*settings).Execute();
  std::cerr << "param_child is started by param\n";
  return 3;
}

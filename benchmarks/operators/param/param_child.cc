// The process in which `param` (param.cc) has operators measured. Users do not start it.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "benchmarks/operators/param/child_run.h"

int main(int argc, char** argv) {
  const absl::StatusOr<assay::param::Settings> settings =
      assay::param::ParseSettings(std::vector<std::string>(argv + 1, argv + argc));
  if (settings.ok() && settings->child) {
    const int code = assay::param::ChildRun(*settings).Execute();
    std::cout.flush();
    std::cerr.flush();
    // LibTorch's static objects may not survive a GPU that an operator has broken.
    std::_Exit(code);
  }
  std::cerr << "param_child is started by param\n";
  return 3;
}

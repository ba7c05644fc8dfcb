#include "benchmarks/harness/base/exit_code.h"

#include <algorithm>
#include <iostream>

namespace assay::base {

int WorseCode(int a, int b) {
  return a == kProductWrong || b == kProductWrong ? kProductWrong : std::max(a, b);
}

int Fail(std::string_view program, std::string_view message, ExitCode code) {
  std::cerr << program << ": " << message << "\n";
  return code;
}

}  // namespace assay::base

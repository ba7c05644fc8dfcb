#include "benchmarks/harness/processes/program_main.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/exit_code.h"

namespace assay::processes {
namespace {

int Ran(const Program& program, const std::vector<std::string>& words) {
  try {
    const absl::StatusOr<int> code = program.run(words);
    if (code.ok()) return *code;
    return base::Fail(
        program.name, code.status().message(),
        absl::IsInvalidArgument(code.status()) ? base::kUsageError : base::kSurroundings);
  } catch (const std::bad_alloc&) {
    return base::Fail(program.name, "there is not enough memory", base::kSurroundings);
  } catch (const std::exception& error) {
    return base::Fail(program.name, absl::StrCat("CRASH: ", error.what()), base::kProductWrong);
  }
}

}  // namespace

int ProgramMain(int argc, char** argv, const Program& program) {
  int code = Ran(program, std::vector<std::string>(argv + 1, argv + argc));
  if (!std::cout.flush() || std::fflush(stdout) != 0) {
    code = base::WorseCode(
        code, base::Fail(program.name, "cannot write standard output", base::kSurroundings));
  }
  std::cerr.flush();
  if (program.leaves_at_once) std::_Exit(code);
  return code;
}

int Print(std::string_view text) {
  std::cout << text;
  return base::kRight;
}

}  // namespace assay::processes

#include "benchmarks/harness/processes/other_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/child_process.h"

namespace assay::processes {

absl::StatusOr<int> RunShown(const std::vector<std::string>& words) {
  constexpr int kSignalled = 128;  // as a shell has it
  std::cout.flush();
  const absl::StatusOr<ChildEnd> end = RunChild(
      {.arguments = words, .own_group = false, .show_errors = true, .output_as_errors = true},
      /*interrupted=*/nullptr);
  if (!end.ok()) return absl::UnavailableError(end.status().message());
  return end->ending == Ending::kExited ? end->code : kSignalled + end->code;
}

absl::Status ReplaceBy(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::cout.flush();
  execvp(arguments[0], arguments.data());
  return absl::UnavailableError(
      absl::StrCat("cannot start ", words[0], ": ", std::strerror(errno)));
}

}  // namespace assay::processes

#include <iostream>
#include <string>
#include <vector>

#include "benchmarks/harness/processes/program_main.h"
#include "tools/check_machine/check_machine.h"

int main(int argc, char** argv) {
  const auto run = [](const std::vector<std::string>& words) {
    return assay::check_machine::CheckMachine(words, {}, std::cout, std::cerr);
  };
  return assay::processes::ProgramMain(argc, argv, {.name = "check_machine", .run = run});
}

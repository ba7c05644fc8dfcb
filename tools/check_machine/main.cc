#include <iostream>

#include "tools/check_machine/check_machine.h"

int main(int argc, char** argv) {
  return assay::check_machine::CheckMachine({argv + 1, argv + argc}, {}, std::cout, std::cerr);
}

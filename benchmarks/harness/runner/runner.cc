// The one program behind all cases of a family.
#include "benchmarks/harness/runner/benchmark_program.h"

int main(int argc, char** argv) {
  assay::runner::RunProgram(argc, argv, {.open = assay::runner::OpenCaseFile});
}

// A runner whose only case is a small mlp, for series_run_test.
#include "benchmarks/harness/runner/benchmark_program.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"

int main(int argc, char** argv) {
  using assay::runner::OpenedCase;
  assay::runner::RunProgram(argc, argv,
                            {.open = [](const assay::runner::CommandLine&,
                                        assay::runner::Settings&) -> absl::StatusOr<OpenedCase> {
                              return OpenedCase{.resolved = assay::runner::SmallMlpCase(),
                                                .program = nullptr};
                            }});
}

#include "tools/check_machine/check_machine.h"

#include "absl/status/statusor.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/environment/facts/gpu_facts.h"
#include "defs/proto/record.pb.h"
#include "tools/check_machine/options.h"
#include "tools/check_machine/report.h"

namespace assay::check_machine {
namespace {

Environment ReadFacts(const environment::EnvironmentSources& sources, bool gpu_is_needed) {
  Environment environment = environment::ReadEnvironment(sources);
  const absl::StatusOr<environment::GpuReading> gpu =
      sources.read_gpu({.visible_devices = sources.variable("CUDA_VISIBLE_DEVICES")});
  environment::AddGpuFacts(gpu, environment::ReadGpuUse(sources.root, /*own=*/false), environment);
  if (!gpu.ok() && gpu_is_needed) {
    environment.mutable_facts(environment.facts_size() - 1)->set_state(FACT_BAD);
  }
  return environment;
}

}  // namespace

int CheckMachine(const std::vector<std::string>& words,
                 const environment::EnvironmentSources& sources, std::ostream& out,
                 std::ostream& error) {
  const absl::StatusOr<Options> options = ParseOptions(words);
  if (!options.ok()) {
    error << "check_machine: " << options.status().message() << "\n";
    return base::kUsageError;
  }
  if (options->help) {
    out << UsageText();
    return base::kRight;
  }
  const Environment environment = ReadFacts(sources, options->gpu);
  out << Report(environment, options->format) << std::flush;
  if (!out) {
    error << "check_machine: the report could not be written\n";
    return base::kSurroundings;
  }
  return options->gate && CountOf(FACT_BAD, environment) > 0 ? base::kSurroundings : base::kRight;
}

}  // namespace assay::check_machine

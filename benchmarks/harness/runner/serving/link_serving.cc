// Registers the code of load (served_case.h).
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"

namespace assay::runner {
namespace {

constexpr LinkedServing kServing = {
    .read = ReadServingSettings,
    .mistakes = serving_mistakes::kAll,
    .serve = [](const ServedCase& given) { return ServeCase(given, load::NewLoadGen); }};
[[maybe_unused]] const bool kLinked = (RegisteredServing() = &kServing, true);

}  // namespace
}  // namespace assay::runner

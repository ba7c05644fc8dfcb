#include "benchmarks/harness/runner/presentation.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/record/outcome.h"

namespace assay::runner {
namespace {

std::string OutputText(const OutputVerdict& output, Rule rule) {
  std::string text;
  if (rule == COSINE) {
    text = absl::StrFormat("%s cosine %.8f", output.name(), output.cosine());
  } else {
    text = absl::StrFormat("%s max |Δ| %.1e, rms %.1e of std", output.name(), output.max_error(),
                           output.rms_error());
  }
  if (output.max_limit() > 0)
    absl::StrAppendFormat(&text, " (limits %.0e, %.0e)", output.max_limit(), output.rms_limit());
  if (output.elements_compared() < output.elements()) {
    absl::StrAppendFormat(&text, " on %d of %d elements", output.elements_compared(),
                          output.elements());
  }
  return text;
}

}  // namespace

std::string DeviceText(DeviceType device, const Environment& e) {
  if (device == CUDA && e.gpu_name().empty()) return "cuda, no device";
  if (device == CUDA) return absl::StrCat("cuda ", e.gpu_name(), ", driver ", e.gpu_driver());
  return absl::StrCat("cpu ", e.cpu_model().empty() ? "of unknown model" : e.cpu_model(), ", ",
                      e.threads(), e.threads() == 1 ? " thread" : " threads");
}

std::string HeadLine(const ResolvedCase& c, DeviceType device, const Environment& e) {
  const BenchmarkCase& b = c.benchmark_case();
  return absl::StrCat(b.name(), "   ", absl::AsciiStrToLower(Backend_Name(b.backend())), ", ",
                      absl::AsciiStrToLower(Mode_Name(b.mode())), " · ", DeviceText(device, e),
                      " · torch ", e.torch_version(), " · seed ", b.seed(), "\n");
}

std::string VerdictLines(const Verdict& verdict) {
  const std::string head =
      absl::StrFormat("%-10s%-9s", "verdict", record::OutcomeName(verdict.outcome()));
  if (!Explained(verdict.outcome())) return absl::StrCat(head, "  ", verdict.message(), "\n");
  if (verdict.outcome() != PASS) return absl::StrCat(head, "\n");
  std::string lines;
  for (const OutputVerdict& output : verdict.outputs()) {
    absl::StrAppend(&lines, lines.empty() ? head : std::string(19, ' '),
                    OutputText(output, verdict.rule()), "\n");
  }
  absl::StrAppendFormat(&lines, "%-10s%-9s%s, sha256 %s; %d %s compared\n", "reference", "",
                        verdict.reference().provenance(), verdict.reference().sha256().substr(0, 8),
                        verdict.verified_batch(), verdict.verified_batch() == 1 ? "row" : "rows");
  return lines;
}

bool Explained(Outcome outcome) {
  return outcome != ARTIFACT_UNAVAILABLE && outcome != NOT_VERIFIED && outcome != SKIPPED_DECLARED;
}

std::string MachineLine(const Environment& e) {
  const std::vector<std::string> noise(e.noise().begin(), e.noise().end());
  return absl::StrFormat("%-10s%-9s%s\n", "machine", noise.empty() ? "quiet" : "noisy",
                         noise.empty()
                             ? absl::StrFormat("load %.1f on %d cores", e.load_1m(), e.cpu_count())
                             : absl::StrJoin(noise, "; "));
}

}  // namespace assay::runner

#include "benchmarks/harness/runner/output/generation_lines.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/harness/text/byte_text.h"
#include "defs/case/case_steps.h"

namespace assay::runner {
namespace {

std::string Line(std::string_view head, std::string_view text) {
  return absl::StrFormat("%-19s%s\n", head, text);
}

std::string Time(double ns) { return output::TimeText(ns, 3); }

const Measurement* InMode(const Record& record, std::string_view mode, std::string_view step) {
  for (const Measurement& m : record.measurements()) {
    if (m.step() == step && m.mode() == mode && m.median_ns() > 0) return &m;
  }
  return nullptr;
}

const Measurement* InModeWall(const Record& record, std::string_view step) {
  return InMode(record, "wall", step);
}

// On a GPU wall is also the host's time to queue the kernels, in which no byte need move, so there
// the time is the GPU's own where it is known.
std::string BandwidthText(const Record& record, const Measurement& in_wall) {
  const Measurement* const on_gpu =
      record.device() == CUDA ? InMode(record, "cold", steps::kDecode) : nullptr;
  const Measurement& decode = on_gpu != nullptr ? *on_gpu : in_wall;
  const double per_ns = in_wall.bytes_per_call() / decode.median_ns();
  std::string text =
      absl::StrFormat("decode moves %s at least: %.3g GB/s",
                      base::ByteText(static_cast<int64_t>(in_wall.bytes_per_call())), per_ns);
  if (on_gpu != nullptr) absl::StrAppend(&text, " in mode cold");
  for (const Peak& peak : record.peaks()) {
    if (peak.name() == "read" && peak.per_s() > 0) {
      absl::StrAppendFormat(&text, ", %.0f %% of the peak for reading",
                            100 * per_ns * 1e9 / peak.per_s());
    }
  }
  return text;
}

}  // namespace

std::string GenerationLines(const Record& record) {
  const Measurement* const decode = InModeWall(record, steps::kDecode);
  if (decode == nullptr) return "";
  std::vector<std::string> parts, rates;
  const auto rate = [&](const char* of, double tokens, double ns) {
    rates.push_back(absl::StrCat(of, " ", output::FigureText(tokens * 1e9 / ns)));
  };
  const Measurement* const prefill = InModeWall(record, steps::kPrefill);
  if (prefill != nullptr) {
    parts.push_back(absl::StrCat("first token ", Time(prefill->median_ns())));
    rate("prompt", prefill->units_per_call(), prefill->median_ns());
  }
  std::string further = absl::StrCat("further ones ", Time(decode->median_ns()), " each");
  std::vector<double> samples(decode->samples_ns().begin(), decode->samples_ns().end());
  std::sort(samples.begin(), samples.end());
  const absl::StatusOr<double> p95 = statistics::PercentileClaim(samples, 0.95);
  if (p95.ok()) absl::StrAppend(&further, ", p95 ", Time(*p95));
  parts.push_back(further);
  rate("new ones", decode->units_per_call(), decode->median_ns());
  const Measurement* const generate = InModeWall(record, steps::kGenerate);
  if (prefill != nullptr && generate != nullptr) {
    rate("both", prefill->units_per_call() + generate->units_per_call(), generate->median_ns());
  }
  parts.push_back(absl::StrCat("tokens/s: ", absl::StrJoin(rates, ", ")));
  std::string lines = Line("generation", absl::StrJoin(parts, "; "));
  if (decode->bytes_per_call() > 0)
    absl::StrAppend(&lines, Line("bandwidth", BandwidthText(record, *decode)));
  return lines;
}

std::string GeneratedLines(const Record& record) {
  std::string lines;
  for (int row = 0; row < record.generated_size(); ++row) {
    absl::StrAppend(&lines,
                    Line("tokens", absl::StrCat("row ", row, ": ",
                                                absl::StrJoin(record.generated(row).ids(), " "))));
  }
  return lines;
}

std::string AttentionLine(const Record& record) {
  std::vector<std::string> parts;
  for (const Measurement& m : record.measurements()) {
    if (m.attention_kernels().empty()) continue;
    const std::string kernels = absl::StrJoin(m.attention_kernels(), ", ");
    const std::string part =
        m.step() == steps::kForward ? kernels : absl::StrCat(m.step(), " ", kernels);
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  }
  return parts.empty() ? "" : Line("attention", absl::StrJoin(parts, "; "));
}

}  // namespace assay::runner

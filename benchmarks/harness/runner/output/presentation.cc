#include "benchmarks/harness/runner/output/presentation.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/own_program.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/output/ranges.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/text/shell_text.h"

namespace assay::runner {
namespace {

std::string OutputText(const OutputVerdict& output, Rule rule) {
  std::string text;
  if (rule == COSINE) {
    text = absl::StrFormat("%s cosine %.8f", output.name(), output.cosine());
  } else if (output.iou() > 0) {
    text = absl::StrFormat("%s IoU %.6g", output.name(), output.iou());
  } else if (rule == DETECTIONS && output.max_limit() == 0) {  // masks of the boxes have limits
    text = absl::StrFormat("%s %.4g %% of the boxes found, corners within %.1e px, scores %.1e",
                           output.name(), 100 * output.boxes_matched(), output.corner_error(),
                           output.score_error());
  } else if (rule == MEAN_RELATIVE) {
    text = absl::StrFormat("%s mean |Δ|/|want| %.2g %%", output.name(),
                           100 * output.mean_relative_error());
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

// The lines on what was asked of the verdict beside the comparison: another rule, several runs,
// checks.
std::string AskedLines(const Verdict& verdict) {
  constexpr std::string_view kFlag = "flag --rule=";
  std::string lines;
  const auto add = [&](std::string_view head, std::string_view word, std::string_view text) {
    absl::StrAppendFormat(&lines, "%-10s%-9s%s\n", head, word, text);
  };
  if (absl::StrContains(verdict.limits_provenance(), kFlag)) {
    const size_t at = verdict.limits_provenance().find(kFlag) + kFlag.size();
    add("rule", "given", verdict.limits_provenance().substr(at));
  }
  if (verdict.runs() > 0) {
    add("runs", absl::StrCat(verdict.runs()),
        absl::StrCat(verdict.passed_runs(), " passed; the majority decides"));
  }
  for (const Check& check : verdict.checks()) {
    add("check", absl::StripPrefix(CheckStatus_Name(check.status()), "CHECK_"),
        absl::StrCat(check.name(), ": ", check.detail()));
  }
  return lines;
}

std::string SecondsText(double seconds) { return output::TimeText(1e9 * seconds, 3); }

// Whether float32 products and cuDNN's convolutions are rounded to TF32.
std::string_view Tf32Text(const Environment& e) {
  if (e.tf32_matmul() && e.tf32_cudnn()) return "on";
  return e.tf32_matmul() ? "on in products" : e.tf32_cudnn() ? "on in cuDNN" : "off";
}

// Checks that other work on the machine can make fail.
constexpr std::string_view kDisturbances[] = {"steady", "one_mode", "clock_held", "cpu_contention"};
constexpr std::string_view kConsequences[] = {"samples", "steady", "warm"};  // if only NOTED

// "wall", "continuous", "wall/backward".
std::string BenchmarkOf(const Measurement& m) {
  const std::string method = m.preset().empty() ? m.mode() : m.preset();
  return m.step() == "forward" ? method : absl::StrCat(method, "/", m.step());
}

}  // namespace

std::string DeviceText(DeviceType device, const Environment& e) {
  if (device == CUDA && e.gpu_name().empty()) return "cuda, no device";
  if (device == CUDA)
    return absl::StrCat("cuda ", e.gpu_name(), ", driver ", e.gpu_driver(), ", TF32 ", Tf32Text(e));
  return absl::StrCat("cpu ", e.cpu_model().empty() ? "of unknown model" : e.cpu_model(), ", ",
                      e.threads(), e.threads() == 1 ? " thread" : " threads");
}

std::string HeadLine(const BenchmarkCase& c, DeviceType device, const Environment& e) {
  // The case's name says its batch, so only another batch is shown.
  const std::string named = absl::StrCat("_b", c.batch());
  const bool as_named =
      absl::EndsWith(c.name(), named) || absl::StrContains(c.name(), absl::StrCat(named, "_"));
  const std::string batch = as_named ? "" : absl::StrCat(", batch ", c.batch());
  return absl::StrCat(c.name(), "   ", execution::ExecutionText(c.execution()), ", ",
                      absl::AsciiStrToLower(CaseMode_Name(c.mode())), batch, " · ",
                      DeviceText(device, e), " · torch ", e.torch_version(), " · seed ", c.seed(),
                      "\n");
}

std::string VerdictLines(const Verdict& verdict) {
  const std::string head =
      absl::StrFormat("%-10s%-9s", "verdict", record::OutcomeName(verdict.outcome()));
  const std::string asked = AskedLines(verdict);
  if (!Explained(verdict.outcome()))
    return absl::StrCat(head, "  ", verdict.message(), "\n", asked);
  if (verdict.outcome() != PASS) return absl::StrCat(head, "\n", asked);
  std::string lines;
  for (const OutputVerdict& output : verdict.outputs()) {
    absl::StrAppend(&lines, lines.empty() ? head : std::string(19, ' '),
                    OutputText(output, verdict.rule()), "\n");
  }
  const std::string& sha256 = verdict.reference().sha256();
  absl::StrAppendFormat(&lines, "%-10s%-9s%s%s; %d %s compared\n", "reference", "",
                        verdict.reference().provenance(),
                        sha256.empty() ? "" : ", sha256 " + sha256.substr(0, 8),
                        verdict.verified_batch(), verdict.verified_batch() == 1 ? "row" : "rows");
  return absl::StrCat(lines, asked);
}

std::string GivenLines(std::string_view flag, const GivenFile& given) {
  std::string lines = absl::StrFormat(
      "%-10s%-9s%s, %d %s, sha256 %s\n", flag, "given", given.name(), given.tensors(),
      given.tensors() == 1 ? "tensor" : "tensors", given.sha256().substr(0, 8));
  for (const std::string& conversion : given.conversions())
    absl::StrAppend(&lines, std::string(19, ' '), conversion, "\n");
  for (const std::string& warning : given.warnings())
    absl::StrAppendFormat(&lines, "%-10s%-9s%s\n", flag, "WARNING", warning);
  return lines;
}

bool Explained(Outcome outcome) {
  return outcome != ARTIFACT_UNAVAILABLE && outcome != NOT_VERIFIED && outcome != SKIPPED_DECLARED;
}

std::string CommandText(const std::string& label, const std::vector<std::string>& flags) {
  std::string command = base::RunCommand(label);
  for (const std::string& flag : flags) absl::StrAppend(&command, " ", base::ShellWord(flag));
  return command;
}

std::string MachineLine(const Environment& e) {
  if (e.noise().empty()) {
    return absl::StrFormat("%-10s%-9sload %.1f on %d %s\n", "machine", "quiet", e.load_1m(),
                           e.cpu_count(), e.cpu_count() == 1 ? "core" : "cores");
  }
  // Each sentence gives a name; check_machine says what it does and how to fix it.
  std::vector<std::string> names;
  for (const std::string& sentence : e.noise()) {
    names.push_back(sentence.substr(0, sentence.find(": ")));
  }
  constexpr size_t kShown = 3;
  const size_t more = names.size() - std::min(names.size(), kShown);
  names.resize(names.size() - more);
  if (more > 0) names.push_back(absl::StrCat(more, " more"));
  return absl::StrFormat("%-10s%-9s%s   advice: tools/bazel run //tools:check_machine%s\n",
                         "machine", "noisy", absl::StrJoin(names, "; "),
                         e.gpu_name().empty() ? "" : " -- --gpu");
}

std::string WarmupLine(const Record& record) {
  std::vector<std::string> parts;
  constexpr double kWorthSaying = 0.01;  // eager has nothing to load
  if (record.weights_s() > 1)
    parts.push_back(absl::StrCat("weights in ", SecondsText(record.weights_s())));
  if (record.export_s() > 0)
    parts.push_back(absl::StrCat("exported in ", SecondsText(record.export_s())));
  if (record.load_s() > kWorthSaying)
    parts.push_back(absl::StrCat("loaded ",
                                 record.runtime().empty() ? "" : "by " + record.runtime() + " ",
                                 "in ", SecondsText(record.load_s())));
  if (record.starts_s_size() > 0)
    parts.push_back(absl::StrCat("first output ", SecondsText(record.starts_s(0)),
                                 " after the process's start"));
  if (record.verdict().first_call_s() > 0) {
    parts.push_back(absl::StrCat("first call ", record.launch().shared() ? "" : "of the process ",
                                 SecondsText(record.verdict().first_call_s())));
  }
  for (const Measurement& m : record.measurements()) {
    if (m.warmup_calls() == 0) continue;
    parts.push_back(absl::StrCat(BenchmarkOf(m), m.steady() ? " steady" : " not steady", " after ",
                                 output::TimeText(m.warmup_ns(), 3)));
  }
  if (parts.empty() || record.measurements().empty()) return "";
  return absl::StrFormat("%-10s%-9s%s\n", "warm-up", "", absl::StrJoin(parts, "; "));
}

std::string ClockLine(const Record& record) {
  if (record.device() != CUDA) return "";
  std::vector<uint32_t> mhz;
  for (const Measurement& m : record.measurements()) {
    absl::c_copy_if(m.clock_mhz(), std::back_inserter(mhz), [](uint32_t read) { return read > 0; });
  }
  if (mhz.empty()) return "";
  absl::c_sort(mhz);
  std::string text = absl::StrCat("GPU at ", mhz[mhz.size() / 2], " MHz");
  if (mhz.front() != mhz.back())
    absl::StrAppend(&text, " in the middle, ", mhz.front(), " to ", mhz.back());
  return absl::StrFormat("%-10s%-9s%s\n", "clock", "", text);
}

std::string CheckLines(const Record& record) {
  struct Finding {
    CheckStatus status;
    std::string name;
    std::vector<std::string> benchmarks = {}, details = {};  // both are in the record's order
  };
  std::vector<Finding> findings;
  std::vector<std::string> rows;
  for (const Measurement& m : record.measurements()) {
    rows.push_back(BenchmarkOf(m));
    for (const Check& check : m.checks()) {
      if (check.status() != CHECK_FLAGGED && check.status() != CHECK_NOTED) continue;
      auto at = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
        return f.status == check.status() && f.name == check.name();
      });
      if (at == findings.end())
        at = findings.insert(at, {.status = check.status(), .name = check.name()});
      at->benchmarks.push_back(BenchmarkOf(m));
      if (absl::c_find(at->details, check.detail()) == at->details.end())
        at->details.push_back(check.detail());
    }
  }
  std::string lines;
  const bool disturbed = absl::c_any_of(findings, [](const Finding& f) {
    return f.status == CHECK_FLAGGED && absl::c_linear_search(kDisturbances, f.name);
  });
  for (const Finding& f : findings) {
    // They follow from the disturbance, and the advice below answers them, too.
    if (disturbed && f.status == CHECK_NOTED && absl::c_linear_search(kConsequences, f.name))
      continue;
    absl::StrAppendFormat(&lines, "%-10s%-9s%s: %s: %s\n", "check",
                          absl::StripPrefix(CheckStatus_Name(f.status), "CHECK_"),
                          rows.size() > 2 && f.benchmarks == rows
                              ? absl::StrCat("all ", rows.size(), " rows")
                              : absl::StrJoin(f.benchmarks, ", "),
                          f.name, absl::StrJoin(output::WithRanges(f.details), "; "));
  }
  if (disturbed) {
    absl::StrAppendFormat(&lines, "%-10s%-9s%s\n", "advice", "",
                          "a busy machine is the usual cause; it spoils times, not the verdict; "
                          "docs/recipes.md#the-machine-is-busy says what can be known on it");
  }
  return lines;
}

}  // namespace assay::runner

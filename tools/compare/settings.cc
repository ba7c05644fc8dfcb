#include "tools/compare/settings.h"

#include <cmath>
#include <functional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::compare {
namespace {

base::Flag ShareFlag(double& target) {
  return {.set = [&target](const std::string& value) {
    const absl::StatusOr<double> share = ParseShare(value);
    if (!share.ok() || *share == 0) {
      return absl::InvalidArgumentError("a share such as 1%, more than 0");
    }
    target = *share;
    return absl::OkStatus();
  }};
}

base::Flag SecondsFlag(std::function<void(double)> take) {
  return {.set = [take = std::move(take)](const std::string& value) {
    double seconds = 0;
    if (!absl::SimpleAtod(absl::StripSuffix(value, "s"), &seconds) || !(seconds > 0) ||
        !(seconds <= 1e6)) {
      return absl::InvalidArgumentError("seconds, more than 0");
    }
    take(seconds);
    return absl::OkStatus();
  }};
}

struct Switches {
  bool same_sides = false;
  int extra_rounds = 2;
  std::string flagged = "refuse";
  std::string metric = "auto";
};

base::FlagTable Flags(Settings& s, Switches& switches) {
  const auto seed = [&s](const std::string& value) {
    s.seed_given = absl::SimpleAtoi(value, &s.campaign.seed);
    return s.seed_given ? absl::OkStatus()
                        : absl::InvalidArgumentError("a whole number, 0 or more");
  };
  const auto inject = [&s](const std::string& value) {
    const absl::StatusOr<double> share = ParseShare(value);
    if (!share.ok() || *share == 0) {
      return absl::InvalidArgumentError("a share such as 3%, more than 0");
    }
    s.inject = absl::StrCat(*share * 100, "%");  // as the runner spells it
    return absl::OkStatus();
  };
  const auto candidate = [&s](const std::string& value) {
    for (const std::string& other : s.candidates) {
      if (other == value) return absl::InvalidArgumentError("the same candidate twice");
    }
    s.candidates.push_back(value);
    return absl::OkStatus();
  };
  const base::Flag pairs = base::WholeNumberFlag(s.campaign.pairs, 2, 500);
  const std::vector<std::string> metrics = {"auto", "wall", "cpu", "min", "instructions"};
  const base::Flag help = base::HelpFlag(s.help);
  return {{"baseline", base::TextFlag(s.baseline)},
          {"candidate", {.set = candidate}},
          {"aa", base::SwitchFlag(switches.same_sides)},
          {"cases", base::RegexFlag(s.cases)},
          {"baseline_build", base::TextFlag(s.baseline_build)},
          {"candidate_build", base::TextFlag(s.candidate_build)},
          {"modes", base::TextFlag(s.modes)},
          {"budget", SecondsFlag([&s](double v) { s.budget_s = v; })},
          {"inject", {.set = inject}},
          {"timeout", SecondsFlag([&s](double v) { s.timeout = absl::Seconds(v); })},
          {"within", SecondsFlag([&s](double v) { s.campaign.within = absl::Seconds(v); })},
          {"seed", {.set = seed}},
          {"pairs", pairs},
          {"rounds", pairs},
          {"extra_rounds", base::WholeNumberFlag(switches.extra_rounds, 0, 2)},
          {"delta", ShareFlag(s.campaign.rules.same_within)},
          {"across", base::SwitchFlag(s.campaign.across)},
          {"flagged", base::ChoiceFlag(switches.flagged, {"refuse", "keep"})},
          {"metric", base::ChoiceFlag(switches.metric, metrics)},
          {"gate", base::SwitchFlag(s.gate)},
          {"format", base::ChoiceFlag(s.format, {"text", "json", "csv"})},
          {"json", base::TextFlag(s.json_path)},
          {"csv", base::TextFlag(s.csv_path)},
          {"plot", base::TextFlag(s.plot_path)},
          {"parts", base::TextFlag(s.parts_path)},
          {"help", help},
          {"h", help}};
}

absl::Status CheckTogether(Settings& settings, const Switches& switches) {
  if (settings.baseline.empty()) {
    return absl::InvalidArgumentError(
        "--baseline=SIDE is missing; --help=all shows what a side is");
  }
  if (switches.same_sides) {
    if (!settings.candidates.empty()) {
      return absl::InvalidArgumentError("--aa compares the baseline with itself: no --candidate");
    }
    settings.candidates = {settings.baseline};
    settings.candidate_build = settings.baseline_build;
  }
  if (settings.candidates.empty()) {
    return absl::InvalidArgumentError(
        "--candidate=SIDE is missing (--aa compares the baseline with itself)");
  }
  if (settings.campaign.rules.same_within <= settings.campaign.rules.smallest_effect) {
    return absl::InvalidArgumentError(
        "--delta must be more than 0.5%, the smallest difference that is called one");
  }
  const std::string& plot = settings.plot_path;
  if (!plot.empty() && !absl::EndsWith(plot, ".svg") && !absl::EndsWith(plot, ".png") &&
      !absl::EndsWith(plot, ".html")) {
    return absl::InvalidArgumentError(
        absl::StrCat("--plot=", plot, ": a picture is FILE.svg, FILE.png or FILE.html"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<double> ParseShare(std::string_view text) {
  double value = 0;
  const bool percent = absl::ConsumeSuffix(&text, "%");
  if (!absl::SimpleAtod(text, &value) || !std::isfinite(value)) {
    return absl::InvalidArgumentError("a share such as 3% or 0.03");
  }
  if (percent) value /= 100;
  if (value < 0 || value > 10) return absl::InvalidArgumentError("a share from 0% to 1000%");
  return value;
}

void UseMetric(Metric metric, CampaignOptions& options) {
  options.metric = metric;
  options.rules.error_rate =
      metric == Metric::kWall ? DecisionRules().error_rate : kStrictErrorRate;
}

absl::StatusOr<Settings> ReadSettings(const std::vector<std::string>& arguments) {
  Settings settings;
  Switches switches;
  const absl::Status parsed =
      base::ParseFlags(Flags(settings, switches), arguments,
                       "quote a side that has flags of its own: "
                       "--candidate='//benchmarks/mlp:mlp_fp32_b64 --threads=1'");
  if (!parsed.ok()) return parsed;
  if (settings.help != base::Help::kNone) return settings;
  const absl::Status together = CheckTogether(settings, switches);
  if (!together.ok()) return together;
  if (const int pairs = settings.campaign.pairs; pairs % 2 != 0) {  // blocks of two (order.h)
    return absl::InvalidArgumentError(
        absl::StrCat("--pairs=", pairs, ": an even number, since each side begins half of them: ",
                     pairs - 1 < 2 ? "" : absl::StrCat(pairs - 1, " or "), pairs + 1));
  }
  settings.campaign.rules.looks = 1 + switches.extra_rounds;
  settings.then_cpu = switches.metric == "auto";
  for (const Metric metric : {Metric::kCpu, Metric::kMin, Metric::kInstructions})
    if (switches.metric == MetricName(metric)) UseMetric(metric, settings.campaign);
  settings.campaign.keep_flagged = switches.flagged == "keep";
  return settings;
}

}  // namespace assay::compare

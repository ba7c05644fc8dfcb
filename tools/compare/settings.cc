#include "tools/compare/settings.h"

#include <cmath>
#include <functional>
#include <map>
#include <regex>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace assay::compare {
namespace {

// Takes a flag's value; the message says what is allowed.
using Setter = std::function<absl::Status(const std::string&)>;

Setter Text(std::string& target) {
  return [&target](const std::string& value) {
    target = value;
    return absl::OkStatus();
  };
}

Setter Switch(bool& target) {
  return [&target](const std::string& value) {
    if (value != "true" && value != "false") return absl::InvalidArgumentError("true or false");
    target = value == "true";
    return absl::OkStatus();
  };
}

Setter Whole(int& target, int low, int high) {
  return [&target, low, high](const std::string& value) {
    if (absl::SimpleAtoi(value, &target) && target >= low && target <= high)
      return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("a whole number from ", low, " to ", high));
  };
}

Setter Share(double& target) {
  return [&target](const std::string& value) {
    const absl::StatusOr<double> share = ParseShare(value);
    if (share.ok() && *share > 0) target = *share;
    return share.ok() && *share > 0 ? absl::OkStatus()
                                    : absl::InvalidArgumentError("a share such as 1%, more than 0");
  };
}

Setter Seconds(std::function<void(double)> take) {
  return [take = std::move(take)](const std::string& value) {
    double seconds = 0;
    if (!absl::SimpleAtod(absl::StripSuffix(value, "s"), &seconds) || !(seconds > 0) ||
        !(seconds <= 1e6)) {
      return absl::InvalidArgumentError("seconds, more than 0");
    }
    take(seconds);
    return absl::OkStatus();
  };
}

Setter Regex(std::string& target) {
  return [&target](const std::string& value) {
    try {
      const std::regex pattern(value);
    } catch (const std::regex_error& error) {
      return absl::InvalidArgumentError(absl::StrCat("no regular expression: ", error.what()));
    }
    target = value;
    return absl::OkStatus();
  };
}

struct Flag {
  Setter set;
  bool needs_value = true;
};
using FlagTable = std::map<std::string, Flag>;

struct Switches {
  bool same_sides = false;
  int extra_rounds = 2;
  std::string flagged = "refuse";
};

FlagTable Flags(Settings& s, Switches& switches) {
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
  FlagTable flags = {{"baseline", {Text(s.baseline)}},
                     {"candidate", {Text(s.candidate)}},
                     {"aa", {Switch(switches.same_sides), false}},
                     {"cases", {Regex(s.cases)}},
                     {"baseline_build", {Text(s.baseline_build)}},
                     {"candidate_build", {Text(s.candidate_build)}},
                     {"modes", {Text(s.modes)}},
                     {"budget", {Seconds([&s](double v) { s.budget_s = v; })}},
                     {"inject", {inject}},
                     {"timeout", {Seconds([&s](double v) { s.timeout = absl::Seconds(v); })}},
                     {"seed", {seed}},
                     {"pairs", {Whole(s.campaign.pairs, 2, 500)}},
                     {"extra_rounds", {Whole(switches.extra_rounds, 0, 2)}},
                     {"delta", {Share(s.campaign.rules.same_within)}},
                     {"across", {Switch(s.campaign.across), false}},
                     {"flagged", {Text(switches.flagged)}},
                     {"gate", {Switch(s.gate), false}},
                     {"format", {Text(s.format)}},
                     {"json", {Text(s.json_path)}},
                     {"csv", {Text(s.csv_path)}},
                     {"help", {Switch(s.help), false}},
                     {"h", {Switch(s.help), false}}};
  flags["rounds"] = flags["pairs"];
  return flags;
}

// Sets the flag that arguments[i] begins with; moves i past its value where that is a word apart.
absl::Status SetFlag(const FlagTable& flags, const std::vector<std::string>& arguments, size_t& i) {
  std::string_view argument = arguments[i];
  if (!absl::ConsumePrefix(&argument, "--") && !absl::ConsumePrefix(&argument, "-")) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", argument,
                     "' is no flag; quote a side that has flags of its own: "
                     "--candidate='//benchmarks/mlp:mlp_fp32_b64 --threads=1'"));
  }
  const size_t equals = argument.find('=');
  std::string name =
      absl::StrReplaceAll(argument.substr(0, std::min(equals, argument.size())), {{"-", "_"}});
  const auto found = flags.find(name);
  if (found == flags.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "unknown flag --", name, "; there are --",
        absl::StrJoin(flags, " --",
                      [](std::string* out, const auto& flag) { *out += flag.first; })));
  }
  std::string value = "true";
  if (equals != std::string_view::npos) {
    value = argument.substr(equals + 1);
  } else if (found->second.needs_value) {
    if (i + 1 >= arguments.size()) {
      return absl::InvalidArgumentError(absl::StrCat("--", name, " needs a value"));
    }
    value = arguments[++i];
  }
  const absl::Status set = found->second.set(value);
  if (set.ok()) return set;
  return absl::InvalidArgumentError(absl::StrCat("--", name, "=", value, ": ", set.message()));
}

absl::Status CheckTogether(Settings& settings, const Switches& switches) {
  if (settings.baseline.empty()) {
    return absl::InvalidArgumentError("--baseline=SIDE is missing; --help shows what a side is");
  }
  if (switches.same_sides) {
    if (!settings.candidate.empty()) {
      return absl::InvalidArgumentError("--aa compares the baseline with itself: no --candidate");
    }
    settings.candidate = settings.baseline;
    settings.candidate_build = settings.baseline_build;
  }
  if (settings.candidate.empty()) {
    return absl::InvalidArgumentError(
        "--candidate=SIDE is missing (--aa compares the baseline with itself)");
  }
  if (switches.flagged != "refuse" && switches.flagged != "keep") {
    return absl::InvalidArgumentError(
        absl::StrCat("--flagged=", switches.flagged, ": one of refuse, keep"));
  }
  if (settings.format != "text" && settings.format != "json" && settings.format != "csv") {
    return absl::InvalidArgumentError(
        absl::StrCat("--format=", settings.format, ": one of text, json, csv"));
  }
  if (settings.campaign.rules.same_within <= settings.campaign.rules.smallest_effect) {
    return absl::InvalidArgumentError(
        "--delta must be more than 0.5%, the smallest difference that is called one");
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

absl::StatusOr<Settings> ReadSettings(const std::vector<std::string>& arguments) {
  Settings settings;
  Switches switches;
  const FlagTable flags = Flags(settings, switches);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const absl::Status set = SetFlag(flags, arguments, i);
    if (!set.ok()) return set;
  }
  if (settings.help) return settings;
  const absl::Status together = CheckTogether(settings, switches);
  if (!together.ok()) return together;
  settings.campaign.pairs += settings.campaign.pairs % 2;  // blocks of two pairs (order.h)
  settings.campaign.rules.looks = 1 + switches.extra_rounds;
  settings.campaign.keep_flagged = switches.flagged == "keep";
  return settings;
}

std::string_view UsageText() {
  return R"(Is the candidate faster than the baseline? Measures both in fresh processes, in turns, and says how sure it is.

  tools/bazel run //tools:compare -- --baseline=//benchmarks/mlp:mlp_fp32_b64 --candidate='//benchmarks/mlp:mlp_fp32_b64 --threads=1'
  tools/bazel run //tools:compare -- --baseline=git:HEAD~1 --candidate=. --cases='mlp_fp32' --gate
  tools/bazel run //tools:compare -- --baseline=//benchmarks/mlp:mlp_fp32_b64 --aa             how noisy is this machine?
  tools/bazel run //tools:compare -- --baseline=old.jsonl --candidate=new.jsonl                runs that are over
  tools/bazel run //tools:compare -- --baseline=/opt/old/runner --candidate=/opt/new/runner    any program with --record

What is compared: --baseline=SIDE --candidate=SIDE
  //package:case [flags]        a case of this tree, built first
  git:REV [//package:case] [flags]   of a revision, built in a worktree in ~/.cache/assay
  FOLDER [flags]                a tree; . is this one, with whatever is not committed
  PROGRAM [flags]               takes --modes --budget --record=FILE and writes one record there
  FILE.jsonl                    records of runs that are over: what their order was, nobody knows
  --aa                          the candidate is the baseline: prints the noise floor
  --cases=REGEX                 which cases of a tree, by label; needed where a side is a tree
  --baseline_build=FLAGS --candidate_build=FLAGS   Bazel's, e.g. --candidate_build=--copt=-march=native
  --across                      although dtype, device, workload, weights, modes or machine differ
  --flagged=keep                although checks say that samples do not mean what their mode says

How
  --modes=LIST                  modes of each process, default wall
  --budget=SECONDS              sampling time of each process and mode, default 0.4
  --pairs=N                     pairs of processes before the first look, default 20 (--rounds means the same)
  --extra_rounds=0..2           as many pairs again while inconclusive, default 2
  --delta=1%                    SAME means within this
  --inject=3%                   adds a busy-wait of this share to the candidate: is it found?
  --seed=N                      of the order; drawn and printed if not given
  --timeout=SECONDS             for one process, default 300; then it and all it started are killed

What comes out
  --format=text|json|csv        on standard output; --json=FILE --csv=FILE as well
  FASTER, SLOWER: significant after Benjamini-Hochberg over all cases and modes, and the whole interval beyond 0.5 %.
  SAME: within delta with 95 % confidence. INCONCLUSIVE: more pairs, or a wider --delta, would tell.
  --gate                        exit code 0 same or faster, 1 slower, 2 surroundings, 4 inconclusive

Exit code without --gate: 0 a comparison was made, 1 a side's result is wrong or it crashed, 2 the surroundings prevent
it (no device, timeout, flagged samples, interrupted), 3 the command line is wrong or the sides must not be compared.
Ctrl-C ends the running process and reports what there is; verdicts that are not in yet stay INCONCLUSIVE.
)";
}

}  // namespace assay::compare

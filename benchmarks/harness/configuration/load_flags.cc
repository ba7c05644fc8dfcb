#include "benchmarks/harness/configuration/load_flags.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::configuration {
namespace {

constexpr FlagUse kUnderLoad = FlagUse::kTiming;
constexpr int64_t kMostWorkers = 256, kMostBatch = 65536, kMostSamples = 1000000;

// A bound without its unit, as 50, would be of seconds.
bool HasUnit(std::string_view time) {
  return !time.empty() && absl::ascii_isalpha(static_cast<unsigned char>(time.back()));
}

Reader Time(bool zero, bool with_unit = false) {
  return [zero, with_unit](const std::string& value) -> absl::StatusOr<std::string> {
    const absl::StatusOr<absl::Duration> time = ParseTime(value);
    if (!time.ok()) return time.status();
    if ((!zero && *time == absl::ZeroDuration()) || (with_unit && !HasUnit(value)))
      return absl::InvalidArgumentError("a time above 0 with its unit, as 10s or 500ms");
    return absl::FormatDuration(*time);
  };
}

absl::StatusOr<std::string> ReadScenario(const std::string& value) {
  const absl::StatusOr<load::Scenario> scenario = load::ParseScenario(value);
  if (!scenario.ok()) return scenario.status();
  return value;
}

absl::StatusOr<std::string> ReadBound(const std::string& value) {
  const absl::StatusOr<load::LatencyBound> bound = ParseLatencyBound(value);
  if (!bound.ok()) return bound.status();
  return absl::StrCat(absl::FormatDuration(bound->bound), "@p", 100 * bound->share);
}

absl::StatusOr<std::string> ReadRates(const std::string& value) {
  const std::vector<double> rates = RatesOf(value);
  const bool valid = !rates.empty() && absl::c_all_of(rates, [](double rate) {
    return std::isfinite(rate) && rate > 0;
  });
  if (valid) return absl::StrJoin(rates, ",");
  return absl::InvalidArgumentError("queries a second, above 0; several with commas: 5,10,20");
}

// A row that stands beside --scenario, or beside some values of it.
FlagSpec Beside(FlagSpec flag, std::vector<std::string> scenarios = {"scenario"}) {
  flag.needs = std::move(scenarios);
  return flag;
}

}  // namespace

absl::StatusOr<absl::Duration> ParseTime(std::string_view text) {
  double seconds = 0;
  absl::Duration time;
  if (absl::SimpleAtod(text, &seconds)) {
    time = absl::Seconds(seconds);
  } else if (!absl::ParseDuration(text, &time)) {
    return absl::InvalidArgumentError("a time, as 2ms, 10s or 1m30s");
  }
  if (time < absl::ZeroDuration() || time == absl::InfiniteDuration() || std::isnan(seconds))
    return absl::InvalidArgumentError("a time, 0 or more, as 2ms, 10s or 1m30s");
  return time;
}

absl::StatusOr<load::LatencyBound> ParseLatencyBound(std::string_view text) {
  const std::pair<std::string_view, std::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('@', 1));
  const absl::StatusOr<absl::Duration> bound = ParseTime(parts.first);
  double percent = 99;
  std::string_view of = parts.second;
  const bool valid =
      of.empty() || (absl::ConsumePrefix(&of, "p") && absl::SimpleAtod(of, &percent) &&
                     percent >= 50 && percent <= 99.99);
  if (!bound.ok() || *bound == absl::ZeroDuration() || !HasUnit(parts.first) || !valid) {
    return absl::InvalidArgumentError(
        "a time with its unit, and the share of the queries that keep it, p50 to p99.99: "
        "50ms@p99");
  }
  return load::LatencyBound{.bound = *bound, .share = std::round(percent * 100) / 1e4};
}

std::vector<double> RatesOf(std::string_view text) {
  std::vector<double> rates;
  for (const std::string_view word : absl::StrSplit(text, ',')) {
    double rate = 0;
    if (!absl::SimpleAtod(word, &rate)) return {};
    rates.push_back(rate);
  }
  return rates;
}

std::vector<FlagSpec> LoadFlags() {
  const std::vector<std::string> others = {"modes",         "steps",           "exec-mode",
                                           "budget",        "benchmark_*",     "randomize-inputs",
                                           "inject",        "profile",         "nsys",
                                           "ncu",           "peaks",           "energy",
                                           "capture-trace", "memory-timeline", "plot",
                                           "action=verify", "action=smoke",    "verify=off",
                                           "export-*",      "locate",          "dynamic-batch",
                                           "vary"};
  std::vector<FlagSpec> flags = {
      {.name = "scenario",
       .value = "NAME",
       .use = kUnderLoad,
       .text =
           R"(instead of timing calls, serves requests and checks each reply. MLPerf's scenarios, sent by its LoadGen.
server         requests arrive by themselves, at random, --qps of them a second.
single_stream  one request; the next one follows its reply.
multi_stream   eight requests at once; the next eight follow the last reply.
offline        all requests at once: throughput.
tools/bazel run builds the program again with LoadGen)",
       .read = ReadScenario,
       .example = "offline",
       .excludes = {{.with = others, .why = "not with $: under load only requests are timed"}}},
      Beside({.name = "qps",
              .value = "LIST",
              .use = kUnderLoad,
              .text = "server: queries a second, on average. Several (5,10,20) make a curve",
              .read = ReadRates,
              .example = "20"},
             {"scenario=server"}),
      Beside(
          {.name = "burstiness",
           .value = "SHAPE",
           .use = kUnderLoad,
           .text = "server: gaps between arrivals have a gamma distribution of this shape, as in "
                   "vLLM: below 1\n"
                   "they come in bursts, above they are more even. Without it LoadGen sends a "
                   "Poisson process",
           .read = RealNumber(/*zero=*/false, "a number above 0"),
           .example = "0.5",
           .excludes = {{.with = {"arrivals", "concurrency", "load-logs"}, .why = "not with $"}}},
          {"scenario=server"}),
      Beside(
          {.name = "arrivals",
           .value = "FILE",
           .use = kUnderLoad,
           .text =
               R"(server: the arrivals of this file, lines of JSON as AIPerf's: {"timestamp": 250,
"input_length": 120, "output_length": 16}, milliseconds and tokens; lengths are of decoders)",
           .read = AnyText(),
           .example = "requests.jsonl",
           .excludes = {{.with = {"qps", "find-peak", "concurrency", "duration", "samples",
                                  "load-logs"},
                         .why = "not with $: the file says it"}}},
          {"scenario=server"}),
      Beside({.name = "concurrency",
              .value = "N",
              .use = kUnderLoad,
              .text = "server: always so many requests; a reply brings the next one",
              .read = WholeNumber(1, kMostBatch),
              .example = "4",
              .excludes = {{.with = {"qps", "find-peak", "load-logs"},
                            .why = "not with $: the replies set the rate"}}},
             {"scenario=server"}),
      Beside({.name = "find-peak",
              .use = kUnderLoad,
              .text = "server: searches for the highest rate that keeps --latency-bound; a miss is "
                      "tried again",
              .read = OnOrOff(),
              .fallback = "false",
              .example = "true",
              .excludes = {{.with = {"qps"}, .why = "it searches for the rate; leave $ out"}}},
             {"scenario=server"}),
      Beside(
          {.name = "latency-bound",
           .value = "TIME@pN",
           .use = kUnderLoad,
           .text = "50ms@p99: 99 % of the queries must have their reply within 50 ms of when they "
                   "should\nhave been sent. With one rate, a missed bound ends in FAIL_LATENCY",
           .read = ReadBound,
           .example = "50ms@p99"},
          {"scenario=server", "scenario=single_stream", "scenario=multi_stream"}),
      Beside({.name = "ttft-bound",
              .value = "TIME",
              .use = kUnderLoad,
              .text =
                  "decoders: the longest time to the first token of a query that counts as goodput",
              .read = Time(/*zero=*/false, /*with_unit=*/true),
              .example = "500ms"}),
      Beside({.name = "tpot-bound",
              .value = "TIME",
              .use = kUnderLoad,
              .text =
                  "decoders: likewise the longest time for each token behind the first, on average",
              .read = Time(/*zero=*/false, /*with_unit=*/true),
              .example = "50ms"}),
      Beside({.name = "duration",
              .value = "TIME",
              .use = kUnderLoad,
              .text = "how long requests are sent, for each rate; default 10s (MLPerf: 10m)",
              .read = Time(/*zero=*/false),
              .fallback = "10s",
              .example = "5s"}),
      Beside({.name = "workers",
              .value = "N",
              .use = kUnderLoad,
              .text =
                  "threads that answer, with one set of weights; default 1. Each computes with\n"
                  "--threads threads; default: the cores divided by N",
              .read = WholeNumber(1, kMostWorkers),
              .fallback = "1",
              .example = "2"}),
      Beside({.name = "max-batch",
              .value = "N",
              .use = kUnderLoad,
              .text = "requests that a worker answers at once; default: the case's batch. "
                      "Decoders: slots of the cache",
              .read = WholeNumber(1, kMostBatch),
              .example = "4"}),
      Beside({.name = "max-wait",
              .value = "TIME",
              .use = kUnderLoad,
              .text = "how long a request waits for others to fill the batch; default 0s",
              .read = Time(/*zero=*/true),
              .fallback = "0",
              .example = "2ms"}),
      Beside({.name = "samples",
              .value = "N",
              .use = kUnderLoad,
              .text = "how many different inputs there are, each of one row. Default: 32, or two "
                      "batches; of "
                      "decoders two for\neach slot, 16 to 64. Replies have a quarter to all of the "
                      "case's tokens; so have prompts without other inputs",
              .read = WholeNumber(1, kMostSamples),
              .example = "8"}),
      Beside({.name = "load-seed",
              .value = "N",
              .use = kUnderLoad,
              .text = "of the arrivals and of the order of samples; default 0",
              .read = WholeNumber(0, int64_t{1} << 62),
              .fallback = "0",
              .example = "7"}),
      Beside({.name = "load-logs",
              .value = "DIR",
              .text =
                  "keeps LoadGen's own files, mlperf_log_*.txt; with several rates of the last one",
              .read = AnyText()}),
  };
  return flags;
}

}  // namespace assay::configuration

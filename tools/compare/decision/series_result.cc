#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "benchmarks/harness/statistics/describe/moments.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "tools/compare/decision/campaign.h"

namespace assay::compare {
namespace {

using OfPair = ModeMedian PairMedians::*;
constexpr std::pair<const char*, OfPair> kSides[] = {{"baseline", &PairMedians::baseline},
                                                     {"candidate", &PairMedians::candidate}};

// The median of the values that were taken; 0 if there are none.
double MedianOfTaken(const std::vector<PairMedians>& pairs, OfPair side,
                     double ModeMedian::*figure) {
  std::vector<double> values;
  for (const PairMedians& pair : pairs) {
    if ((pair.*side).*figure > 0) values.push_back((pair.*side).*figure);
  }
  return values.empty() ? 0 : statistics::MedianOf(std::move(values));
}

// The mean of the two sides' logarithms: of runs that are not in pairs over all of them, as their ratio
// is; else the median of the pairs, without flagged ones where there are others.
double LogLevel(const SeriesResult& series) {
  std::vector<double> logs[2], levels[2];  // by side, and by whether the pair was flagged
  for (const PairMedians& pair : series.pairs) {
    const double times[] = {pair.baseline.median_ns, pair.candidate.median_ns};
    for (int side = 0; side < 2; ++side)
      if (times[side] > 0) logs[side].push_back(std::log(times[side]));
    if (times[0] > 0 && times[1] > 0)
      levels[pair.Flagged()].push_back((std::log(times[0]) + std::log(times[1])) / 2);
  }
  if (series.estimate->method == Method::kWelchT && !logs[0].empty() && !logs[1].empty())
    return (statistics::Mean(logs[0]) + statistics::Mean(logs[1])) / 2;
  std::vector<double>& counted = levels[levels[0].empty()];
  return counted.empty() ? 0 : statistics::MedianOf(std::move(counted));
}

double LoadingNs(const Record& record) { return 1e9 * (record.export_s() + record.load_s()); }

constexpr int kFlaggedToTell = 2;  // so many pairs, and no other: says how it will end
constexpr int kHopeless = 8;       // flagged pairs, and hardly another
// Flagged pairs are tried no longer than that, so that small cases have an answer within a minute.
constexpr absl::Duration kFlaggedTime = absl::Seconds(20);

// The checks that flagged the first flagged pair, with their messages.
std::string FirstFlags(const std::vector<PairMedians>& pairs) {
  for (const PairMedians& pair : pairs) {
    std::vector<std::string> texts;
    for (const auto& [name, side] : kSides) {
      for (const std::string& flag : (pair.*side).flags)
        texts.push_back(absl::StrCat(name, " ", flag));
    }
    if (!texts.empty()) return absl::StrJoin(texts, "; ");
  }
  return "";
}

// How often a check flagged one side, and its first message.
struct FlagCount {
  int count = 0;
  std::string first;
};

}  // namespace

double SeriesResult::BaselineTime() const {
  if (!estimate.has_value())
    return MedianOfTaken(pairs, &PairMedians::baseline, &ModeMedian::median_ns);
  return std::exp(LogLevel(*this) - estimate->log_ratio / 2);
}

double SeriesResult::CandidateTime() const {
  if (!estimate.has_value())
    return MedianOfTaken(pairs, &PairMedians::candidate, &ModeMedian::median_ns);
  return std::exp(LogLevel(*this) + estimate->log_ratio / 2);
}

double SeriesResult::BaselineFirstCall() const {
  return MedianOfTaken(pairs, &PairMedians::baseline, &ModeMedian::first_call_ns);
}

double SeriesResult::CandidateFirstCall() const {
  return MedianOfTaken(pairs, &PairMedians::candidate, &ModeMedian::first_call_ns);
}

std::optional<int64_t> SeriesResult::BreakEvenCalls(double loading_ns) const {
  if (verdict != Conclusion::kFaster && verdict != Conclusion::kSlower) return std::nullopt;
  const double baseline = BaselineFirstCall(), candidate = CandidateFirstCall();
  if (baseline <= 0 || candidate <= 0) return std::nullopt;
  // Both have the same sign if one side pays first for what it gains later.
  const double longer_ns = loading_ns + candidate - baseline;
  const double gained_ns = BaselineTime() - CandidateTime();
  if (!(longer_ns * gained_ns > 0)) return std::nullopt;
  // Times that come out of logarithms are off by a few units in the last place.
  return static_cast<int64_t>(std::ceil(longer_ns / gained_ns * (1 - 1e-9)));
}

double CaseResult::BaselineLoadingNs() const { return LoadingNs(baseline_record); }

double CaseResult::CandidateLoadingNs() const { return LoadingNs(candidate_record); }

std::string SeriesResult::FlagSummary(Metric metric) const {
  std::map<std::string, FlagCount> counts;
  for (const PairMedians& pair : pairs) {
    for (const auto& [side_name, side] : kSides) {
      for (const std::string& flag : (pair.*side).flags) {
        const size_t colon = flag.find(": ");
        FlagCount& count = counts[absl::StrCat(side_name, " ", flag.substr(0, colon))];
        if (count.count++ == 0 && colon != std::string::npos) count.first = flag.substr(colon + 2);
      }
    }
  }
  std::string text =
      absl::StrCat("flagged in ", FlaggedPairs(), " of ", pairs.size(), " pairs. ", WayOut(metric));
  for (const auto& [name, count] : counts) {
    absl::StrAppend(&text, "\n  ", name, ", ", count.count, " times",
                    count.first.empty() ? "" : ", first: " + count.first);
  }
  return text;
}

int SeriesResult::FlaggedPairs() const {
  return static_cast<int>(std::count_if(pairs.begin(), pairs.end(),
                                        [](const PairMedians& pair) { return pair.Flagged(); }));
}

bool SeriesResult::Hopeless(absl::Duration took) const {
  const int flagged = FlaggedPairs();
  const int good = static_cast<int>(pairs.size()) - flagged;
  if (flagged >= kHopeless) return 3 * good < flagged;
  return flagged >= kFlaggedToTell && good == 0 && took >= kFlaggedTime;
}

std::string SeriesResult::FlagNotice(const std::string& case_name, Metric metric) const {
  if (FlaggedPairs() != kFlaggedToTell || pairs.size() != kFlaggedToTell) return "";
  return absl::StrCat(case_name, "/", mode, ": the first ", kFlaggedToTell, " pairs were flagged (",
                      FirstFlags(pairs), "). While that lasts its ", MetricName(metric),
                      " figures will end as ", ConclusionName(Conclusion::kNotCompared), ", after ",
                      kHopeless, " such pairs or ", absl::FormatDuration(kFlaggedTime),
                      " of them. ", WayOut(metric));
}

bool SeriesResult::QuietUnder(Metric metric) const {
  const auto concerns = [metric](const std::string& flag) { return Concerns(flag, metric); };
  return !pairs.empty() && absl::c_none_of(pairs, [&](const PairMedians& pair) {
    return absl::c_any_of(pair.baseline.flags, concerns) ||
           absl::c_any_of(pair.candidate.flags, concerns);
  });
}

std::string SeriesResult::WayOut(Metric metric) const {
  std::string text;
  if (metric == Metric::kWall && QuietUnder(Metric::kCpu)) {
    text =
        QuietUnder(Metric::kMin)
            ? "--metric=cpu, or --metric=min for calls below a millisecond, compares on a machine "
              "that is never quiet; "
            : "--metric=cpu compares on a machine that is never quiet; ";
  }
  return text + "--flagged=keep compares all the same.";
}

std::string SeriesResult::Unverified() const {
  std::vector<std::string> texts;
  for (const auto& [name, side] : kSides) {
    size_t count = 0;
    std::string first;
    for (const PairMedians& pair : pairs) {
      const std::string& reason = (pair.*side).unverified;
      if (reason.empty()) continue;
      if (count++ == 0) first = reason;
    }
    if (count > 0)
      texts.push_back(absl::StrCat(name, " in ", count, " of ", pairs.size(), " (", first, ")"));
  }
  return absl::StrJoin(texts, ", ");
}

}  // namespace assay::compare

#include "tools/compare/decision/campaign.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/compare/decision/simulated_noise.h"

namespace assay::compare {
namespace {

MeasuredProcess Passing(double median_ns, std::vector<std::string> flags = {}) {
  MeasuredProcess process;
  process.outcome = PASS;
  process.traits = {{"dtype", "FP32"}};
  process.medians.push_back({.mode = "wall", .median_ns = median_ns, .flags = std::move(flags)});
  process.elapsed = absl::Seconds(1);
  return process;
}

MeasuredProcess Failing(Outcome outcome) {
  MeasuredProcess process;
  process.outcome = outcome;
  process.message = "why";
  return process;
}

// The processes that a campaign asked for, and its result.
struct Played {
  std::vector<ProcessRequest> requests;
  std::vector<CampaignProgress> progress;
  CampaignResult result;
};

using Answer = std::function<MeasuredProcess(const ProcessRequest&, int index)>;

Played Play(const std::vector<std::string>& names, const CampaignOptions& options,
            const Answer& answer, std::atomic<bool>* interrupted = nullptr) {
  Played played;
  played.result = RunCampaign(
      names, options,
      [&](const ProcessRequest& request) {
        played.requests.push_back(request);
        return answer(request, static_cast<int>(played.requests.size()) - 1);
      },
      [&](const CampaignProgress& progress) { played.progress.push_back(progress); }, interrupted);
  return played;
}

// A deterministic variation that favours no side: odd and even pairs cancel.
double Wobble(int index) { return 1 + 0.002 * std::sin(1.7 * index); }

Answer Ratio(double ratio) {
  return [ratio](const ProcessRequest& request, int index) {
    return Passing(1000 * Wobble(index) * (request.side == SideName::kCandidate ? ratio : 1.0));
  };
}

TEST(Campaign, EqualSidesAreTheSame) {
  const Played played = Play({"a"}, {.seed = 1}, Ratio(1));
  ASSERT_EQ(played.result.series.size(), 1u);
  EXPECT_EQ(played.result.series[0].verdict, Conclusion::kSame);
  EXPECT_EQ(played.result.looks_made, 1);
  EXPECT_EQ(played.requests.size(), 2u + 2u * 20u);
}

TEST(Campaign, FindsWhoIsSlowerAndByHowMuch) {
  for (const double ratio : {1.03, 1 / 1.03}) {
    const Played played = Play({"a"}, {.seed = 1}, Ratio(ratio));
    const SeriesResult& series = played.result.series[0];
    EXPECT_EQ(series.verdict, ratio > 1 ? Conclusion::kSlower : Conclusion::kFaster);
    EXPECT_NEAR(series.estimate->log_ratio, std::log(ratio), 0.002);
    EXPECT_LE(series.q_value, 1e-5);
    EXPECT_NEAR(series.CandidateTime() / series.BaselineTime(), ratio, 0.005);
    EXPECT_NEAR(series.BaselineTime(), 1000, 20);
  }
}

TEST(Campaign, ShownTimesHaveTheRatioOfTheirRow) {
  // The candidate takes a third of the time in 15 of 21 pairs, and the sides' medians alone, 2400 and
  // 8000, say that it takes three times as long.
  SeriesResult series;
  for (int i = 0; i < 21; ++i) {
    series.pairs.push_back({.baseline = {.median_ns = i < 10 ? 24'000.0 : 2400.0},
                            .candidate = {.median_ns = i < 16 ? 8000.0 : 800.0}});
  }
  series.pairs.push_back(
      {.baseline = {.median_ns = 1, .flags = {"steady"}}, .candidate = {.median_ns = 9}});
  for (const Method method : {Method::kSignedRank, Method::kPairedT, Method::kWelchT}) {
    series.estimate = Estimate{.method = method, .log_ratio = std::log(0.33)};
    EXPECT_NEAR(series.CandidateTime() / series.BaselineTime(), 0.33, 1e-9);
    EXPECT_GT(series.CandidateTime(), 800);
    EXPECT_LT(series.BaselineTime(), 24'000);
  }
  series.estimate.reset();
  EXPECT_EQ(series.BaselineTime(), 2400) << "the median";
  series.pairs.clear();
  EXPECT_EQ(series.BaselineTime(), 0);
}

TEST(Campaign, RunsEachPairInTheDrawnOrderAfterOneTrialOfEachSide) {
  const Played played = Play({"a", "b"}, {.pairs = 4, .seed = 9, .rules = {.looks = 1}}, Ratio(1));
  ASSERT_EQ(played.requests.size(), 4u + 16u);
  const Order order(9);
  std::vector<int> pairs(2, 0);
  for (size_t i = 4; i < played.requests.size(); i += 2) {
    const ProcessRequest& first = played.requests[i];
    const ProcessRequest& second = played.requests[i + 1];
    EXPECT_EQ(first.case_index, second.case_index);
    EXPECT_NE(first.side, second.side);
    const int pair = pairs[first.case_index]++;
    EXPECT_EQ(first.side == SideName::kBaseline, order.BaselineFirst(first.case_index, pair));
    EXPECT_EQ(first.padding_bytes, order.PaddingBytes(first.case_index, pair, first.side));
  }
}

TEST(Campaign, LooksAgainOnlyAtWhatIsInconclusiveAndAtMostAsPlanned) {
  // Case b is noisy beyond hope; case a is decided at the first look.
  const auto answer = [](const ProcessRequest& request, int index) {
    return Passing(
        1000 * (request.case_index == 0 ? Wobble(index) : std::exp(0.5 * std::sin(1.7 * index))));
  };
  for (const int looks : {1, 2, 3}) {
    const Played played =
        Play({"a", "b"}, {.pairs = 12, .seed = 2, .rules = {.looks = looks}}, answer);
    EXPECT_EQ(played.result.looks_made, looks);
    EXPECT_EQ(played.result.series[0].verdict, Conclusion::kSame);
    EXPECT_EQ(played.result.series[0].pairs.size(), 12u);
    EXPECT_EQ(played.result.series[1].verdict, Conclusion::kInconclusive);
    EXPECT_EQ(played.result.series[1].pairs.size(), 12u * looks);
  }
}

TEST(Campaign, KeepsWhatOnlyTheBaselineHad) {
  // Once, in the middle; everything before and after it is verified.
  const auto answer = [](const ProcessRequest& request, int index) {
    MeasuredProcess process = Ratio(1)(request, index);
    if (index == 20) process.outcome = NOT_VERIFIED;
    return process;
  };
  EXPECT_THAT(Play({"a"}, {.seed = 1}, answer).result.cases[0].lost,
              testing::ElementsAre(testing::HasSubstr("not verified")));
  EXPECT_THAT(Play({"a"}, {.seed = 1}, Ratio(1)).result.cases[0].lost, testing::IsEmpty());
  const auto skipped = [](const ProcessRequest& request, int index) {
    return request.side == SideName::kCandidate ? Failing(SKIPPED_DECLARED)
                                                : Ratio(1)(request, index);
  };
  EXPECT_THAT(Play({"a"}, {.seed = 1}, skipped).result.cases[0].lost,
              testing::ElementsAre(testing::HasSubstr("skipped")));
}

TEST(Campaign, KeepsWhichTimedCallsWereNotVerified) {
  const auto answer = [](const ProcessRequest& request, int index) {
    MeasuredProcess process = Ratio(0.5)(request, index);
    if (request.side == SideName::kCandidate) process.medians[0].unverified = "why";
    return process;
  };
  EXPECT_EQ(Play({"a"}, {.seed = 1}, answer).result.series[0].Unverified(),
            "candidate in 20 of 20 (why)");
  EXPECT_EQ(Play({"a"}, {.seed = 1}, Ratio(0.5)).result.series[0].Unverified(), "");
}

TEST(Campaign, AFailureEndsItsCaseAndNoOther) {
  const auto answer = [](const ProcessRequest& request, int index) {
    if (request.case_index == 0 && index > 20) return Failing(FAIL_ACCURACY);
    return Ratio(1)(request, index);
  };
  const Played played = Play({"a", "b"}, {.seed = 1}, answer);
  ASSERT_TRUE(played.result.cases[0].failure.has_value());
  EXPECT_EQ(played.result.cases[0].failure->outcome, FAIL_ACCURACY);
  EXPECT_EQ(played.result.series[0].verdict, Conclusion::kNotCompared);
  EXPECT_EQ(played.result.series[1].verdict, Conclusion::kSame);
  EXPECT_LT(played.requests.size(), 2u + 2u + 80u);
}

TEST(Campaign, AFailureInTheTrialCostsOneProcess) {
  const Played played =
      Play({"a"}, {.seed = 1}, [](const auto&, int) { return Failing(NO_DEVICE); });
  EXPECT_EQ(played.requests.size(), 1u);
  EXPECT_EQ(played.result.cases[0].failure->side, SideName::kBaseline);
  EXPECT_TRUE(played.result.series.empty());
}

TEST(Campaign, RefusesSidesThatDifferUnlessAcross) {
  const auto answer = [](const ProcessRequest& request, int index) {
    MeasuredProcess process = Ratio(1)(request, index);
    if (request.side == SideName::kCandidate) process.traits[0].value = "BF16";
    return process;
  };
  const Played refused = Play({"a"}, {.seed = 1}, answer);
  EXPECT_EQ(refused.requests.size(), 2u);
  EXPECT_EQ(refused.result.cases[0].failure->outcome, OUTCOME_UNSPECIFIED);
  EXPECT_TRUE(absl::StrContains(refused.result.cases[0].failure->message, "FP32 against BF16"));
  const Played across = Play({"a"}, {.seed = 1, .across = true}, answer);
  EXPECT_EQ(across.result.series[0].verdict, Conclusion::kSame);
  EXPECT_EQ(across.result.cases[0].differences.size(), 1u);
}

TEST(Campaign, TwoCasesMayDifferInWhatIsOfTheCaseAlone) {
  const auto answer = [](size_t trait) {
    return [trait](const ProcessRequest& request, int index) {
      MeasuredProcess process = Ratio(1)(request, index);
      process.traits = {{"dtype", "FP32", "", /*of_the_case=*/true}, {"threads", "2"}};
      if (request.side == SideName::kCandidate) process.traits[trait].value = "1";
      return process;
    };
  };
  const Played dtypes = Play({"a"}, {.seed = 1, .two_cases = true}, answer(0));
  EXPECT_EQ(dtypes.result.series[0].verdict, Conclusion::kSame);
  EXPECT_EQ(dtypes.result.cases[0].differences.size(), 1u);
  const Played threads = Play({"a"}, {.seed = 1, .two_cases = true}, answer(1));
  EXPECT_TRUE(absl::StrContains(threads.result.cases[0].failure->message, "threads: 2 against 1"));
}

// Flags every n-th process from the first pair on.
Answer FlagEvery(int n) {
  return [n](const ProcessRequest& request, int index) {
    MeasuredProcess process = Ratio(1)(request, index);
    if (index >= 2 && index % n == 0) process.medians[0].flags = {"contended: load 3"};
    return process;
  };
}

TEST(Campaign, RunsAFewFlaggedPairsAgain) {
  const Played played = Play({"a"}, {.seed = 1}, FlagEvery(15));
  const SeriesResult& series = played.result.series[0];
  EXPECT_EQ(series.verdict, Conclusion::kSame);
  EXPECT_EQ(series.log_ratios.size(), 20u);
  EXPECT_EQ(series.pairs.size(), 24u);  // 2 pairs, then 4: an even number that replaces 3
}

TEST(Campaign, RefusesManyFlaggedPairsUnlessKept) {
  const Played refused = Play({"a"}, {.seed = 1}, FlagEvery(2));
  EXPECT_EQ(refused.result.series[0].verdict, Conclusion::kNotCompared);
  EXPECT_TRUE(absl::StrContains(refused.result.series[0].reason, "contended"));
  EXPECT_TRUE(absl::StrContains(refused.result.series[0].reason, "times, first: load 3"))
      << refused.result.series[0].reason;
  EXPECT_LT(refused.requests.size(), 20u);  // it does not run the whole plan for nothing
  const Played kept = Play({"a"}, {.seed = 1, .keep_flagged = true}, FlagEvery(2));
  EXPECT_EQ(kept.result.series[0].verdict, Conclusion::kSame);
}

TEST(Campaign, ThePairsArePlannedBeforeTheFirstTrialEnds) {
  const Played played = Play({"a"}, {.pairs = 10, .seed = 1}, FlagEvery(1000));
  ASSERT_FALSE(played.progress.empty());
  EXPECT_EQ(played.progress[0].done, 1);
  EXPECT_EQ(played.progress[0].planned, 2 + 2 * 10);
}

TEST(Campaign, SaysAfterTheSecondFlaggedPairHowItWillEnd) {
  const auto notices = [](const Played& played) {
    std::vector<std::pair<int, std::string>> said;  // processes until then
    for (const CampaignProgress& progress : played.progress)
      if (!progress.notice.empty()) said.emplace_back(progress.done, progress.notice);
    return said;
  };
  const auto said = notices(Play({"a"}, {.seed = 1}, FlagEvery(2)));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].first, 2 + 4);
  EXPECT_THAT(said[0].second, testing::StartsWith("a/wall: the first 2 pairs were flagged ("));
  EXPECT_THAT(said[0].second, testing::HasSubstr("contended: load 3). While that lasts its wall "
                                                 "figures will end as NOT_COMPARED"));
  EXPECT_THAT(said[0].second, testing::HasSubstr("--flagged=keep"));
  EXPECT_THAT(notices(Play({"a"}, {.seed = 1, .keep_flagged = true}, FlagEvery(2))),
              testing::IsEmpty());
  EXPECT_THAT(notices(Play({"a"}, {.seed = 1}, FlagEvery(15))), testing::IsEmpty());
}

TEST(Campaign, RecommendsAnotherMetricWhereOnlyWallTimeIsHopeless) {
  const auto flagged = [](const std::string& flag) {
    return [flag](const ProcessRequest& request, int index) {
      MeasuredProcess process = Ratio(1)(request, index);
      process.medians[0].flags = {flag};
      return process;
    };
  };
  const auto reason = [&](const std::string& flag, Metric metric) {
    return Play({"a"}, {.seed = 1, .metric = metric}, flagged(flag)).result.series[0].reason;
  };
  EXPECT_THAT(reason("cpu_contention: much", Metric::kWall), testing::HasSubstr("--metric=min"));
  EXPECT_THAT(reason("samples: one", Metric::kWall), testing::HasSubstr("--metric=cpu compares"));
  EXPECT_THAT(reason("no_leak: grew", Metric::kWall), testing::Not(testing::HasSubstr("--metric")));
  EXPECT_THAT(reason("no_leak: grew", Metric::kCpu), testing::Not(testing::HasSubstr("--metric")));
}

TEST(Campaign, CpuTimesTellWhereOtherProgramsSpoilAllWallTimes) {
  const auto tell = [](const std::vector<std::string>& flags, DeviceType device) {
    const auto answer = [&](const ProcessRequest& request, int index) {
      MeasuredProcess process = Ratio(1)(request, index);
      process.medians[0].flags = flags;
      process.record.set_device(device);
      return process;
    };
    return CpuTimesWouldTell(Play({"a"}, {.seed = 1}, answer).result);
  };
  EXPECT_TRUE(tell({"cpu_contention: much"}, CPU));
  EXPECT_FALSE(tell({"cpu_contention: much"}, CUDA));
  EXPECT_FALSE(tell({"cpu_contention: much", "no_leak: grew"}, CPU));
  EXPECT_FALSE(tell({}, CPU));
  EXPECT_FALSE(CpuTimesWouldTell({}));
}

TEST(Campaign, GivesUpWhereAllPairsAreFlaggedAndTheirTimeIsUp) {
  // Each process takes 6 s: two pairs are 24 s. At 1 s a process it tries eight pairs.
  for (const auto& [seconds, pairs] : {std::pair(6, 2u), std::pair(1, 8u)}) {
    const auto answer = [seconds = seconds](const ProcessRequest& request, int index) {
      MeasuredProcess process = FlagEvery(1)(request, index);
      process.elapsed = absl::Seconds(seconds);
      return process;
    };
    const Played played = Play({"a"}, {.seed = 1}, answer);
    EXPECT_EQ(played.result.series[0].pairs.size(), pairs);
    EXPECT_EQ(played.result.series[0].verdict, Conclusion::kNotCompared);
  }
}

TEST(Campaign, GivesUpWhereHardlyAPairIsNotFlagged) {
  // One pair of five is not flagged: twenty would take a hundred.
  const auto answer = [](const ProcessRequest& request, int index) {
    return FlagEvery((index - 2) % 10 < 2 ? 1000000 : 1)(request, index);
  };
  const Played played = Play({"a"}, {.seed = 1}, answer);
  EXPECT_EQ(played.result.series[0].verdict, Conclusion::kNotCompared);
  EXPECT_LE(played.result.series[0].pairs.size(), 12u);
}

TEST(Campaign, ReplacesAsManyPairsAsPlannedAndNoMore) {
  // Flags one of three processes, so two of three pairs.
  const Played most = Play({"a"}, {.seed = 1}, FlagEvery(3));
  EXPECT_EQ(most.result.series[0].verdict, Conclusion::kNotCompared);
  const Played half = Play({"a"}, {.seed = 1}, FlagEvery(5));
  EXPECT_EQ(half.result.series[0].verdict, Conclusion::kSame);
  EXPECT_EQ(half.result.series[0].log_ratios.size(), 20u);
}

TEST(Campaign, ALimitOfTimeLeavesWholeCasesOut) {
  // A process takes 1 s, so a case 2 s for its trial and 8 s for four pairs.
  const Played played = Play({"a", "b", "c", "d", "e"},
                             {.pairs = 4,
                              .seed = 1,
                              .rules = {.looks = 1},
                              .within = absl::Seconds(23),
                              .trial_order = {2, 4, 0, 1, 3}},
                             Ratio(1.2));
  const std::vector<CaseResult>& cases = played.result.cases;
  EXPECT_EQ(cases[2].missing, "");
  EXPECT_EQ(cases[4].missing, "");
  EXPECT_EQ(cases[0].missing,
            "--within=23: its 4 pairs would take 8 s, and 1 s are left; "
            "give a larger --within, or fewer --pairs");
  EXPECT_THAT(cases[1].missing, testing::HasSubstr("would take 8 s, and 0 s are left"));
  EXPECT_EQ(cases[3].missing, "--within=23: the cases before it take that long");
  ASSERT_EQ(played.result.series.size(), 2u);
  EXPECT_EQ(played.result.series[0].case_index, 2u);
  EXPECT_EQ(played.result.series[1].case_index, 4u);
  EXPECT_EQ(played.result.series[1].log_ratios.size(), 4u);
  EXPECT_EQ(played.requests.size(), 4u * 2u + 2u * 8u);
  EXPECT_FALSE(played.result.interrupted);
}

TEST(Campaign, ATrialThatOutlastsTheTimeIsEnded) {
  const auto answer = [](const ProcessRequest& request, int index) {
    if (request.case_index == 0) return Ratio(1.2)(request, index);
    MeasuredProcess endless = Failing(TIMEOUT);
    endless.elapsed = std::min(request.at_most, absl::Minutes(5));
    return endless;
  };
  CampaignOptions options = {.pairs = 4, .seed = 1, .rules = {.looks = 1}};
  EXPECT_EQ(Play({"a", "b"}, options, answer).result.cases[1].failure->outcome, TIMEOUT);
  options.within = absl::Seconds(23);
  const Played played = Play({"a", "b"}, options, answer);
  EXPECT_EQ(played.result.cases[1].missing, "--within=23: time was up while it was tried");
  EXPECT_FALSE(played.result.cases[1].failure.has_value());
  EXPECT_TRUE(played.result.cases[1].lost.empty());
  EXPECT_EQ(played.requests[2].at_most, absl::Seconds(13));  // 2 s of a's trial, 8 s of its pairs
  EXPECT_EQ(played.result.measuring, options.within);
}

TEST(Campaign, AFurtherLookAndPairsForFlaggedOnesNeedTime) {
  // Half a per cent of noise and a difference of 1 %: inconclusive after four pairs.
  const auto noisy = [](const ProcessRequest& request, int index) {
    const bool candidate = request.side == SideName::kCandidate;
    return Passing(1000 * (1 + 0.02 * std::sin(1.7 * index)) * (candidate ? 1.01 : 1));
  };
  const CampaignOptions options = {.pairs = 6, .seed = 1};
  EXPECT_EQ(Play({"a"}, options, noisy).result.looks_made, 3);
  for (const auto& [seconds, looks] : {std::pair(14, 1), std::pair(25, 1), std::pair(26, 2)}) {
    CampaignOptions limited = options;
    limited.within = absl::Seconds(seconds);
    const Played played = Play({"a"}, limited, noisy);
    EXPECT_EQ(played.result.looks_made, looks) << seconds;
    EXPECT_EQ(played.result.series[0].verdict, Conclusion::kInconclusive);
  }
  CampaignOptions limited = {.pairs = 6, .seed = 1, .rules = {.looks = 1}};
  EXPECT_EQ(Play({"a"}, limited, FlagEvery(5)).result.series[0].log_ratios.size(), 6u);
  limited.within = absl::Seconds(14);
  const Played flagged = Play({"a"}, limited, FlagEvery(5));
  EXPECT_EQ(flagged.requests.size(), 2u + 12u);
  EXPECT_EQ(flagged.result.series[0].verdict, Conclusion::kNotCompared);
}

TEST(Campaign, AnInterruptionKeepsFiguresAndDecidesNothing) {
  std::atomic<bool> interrupted{false};
  const auto answer = [&](const ProcessRequest& request, int index) {
    if (index == 25) interrupted = true;
    return Ratio(1.2)(request, index);
  };
  const Played played = Play({"a"}, {.seed = 1}, answer, &interrupted);
  EXPECT_TRUE(played.result.interrupted);
  EXPECT_EQ(played.requests.size(), 26u);
  const SeriesResult& series = played.result.series[0];
  EXPECT_EQ(series.pairs.size(), 11u);  // the broken pair is left out
  EXPECT_EQ(series.verdict, Conclusion::kInconclusive);
  EXPECT_NEAR(series.estimate->log_ratio, std::log(1.2), 0.01);
  EXPECT_TRUE(absl::StrContains(series.reason, "interrupted after 11 pairs"));
  interrupted = true;
  EXPECT_EQ(Play({"a"}, {}, answer, &interrupted).result.cases[0].missing,
            "interrupted before its turn");
  interrupted = false;
  const auto at_once = [&](const ProcessRequest& request, int index) {
    interrupted = index == 1;
    return Ratio(1)(request, index);
  };
  const Played early = Play({"a", "b"}, {}, at_once, &interrupted);
  EXPECT_EQ(early.result.cases[0].missing, "interrupted while it was tried");
  EXPECT_EQ(early.result.cases[1].missing, "interrupted before its turn");
}

TEST(Campaign, LinearDriftIsNoDifference) {
  // Each process is 1 % slower than the one before: a side that always ran second would be SLOWER
  // by 1 %, one that ran last by 40 %.
  const auto answer = [](const ProcessRequest&, int index) {
    return Passing(1000 * Wobble(index) * std::exp(0.01 * index));
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Played played = Play({"a"}, {.seed = seed}, answer);
    const SeriesResult& series = played.result.series[0];
    EXPECT_NE(series.verdict, Conclusion::kSlower) << seed;
    EXPECT_NE(series.verdict, Conclusion::kFaster) << seed;
    EXPECT_NEAR(series.estimate->log_ratio, 0, 0.002) << seed;
  }
}

TEST(Campaign, AModeThatVanishesIsACrash) {
  const auto answer = [](const ProcessRequest& request, int index) {
    MeasuredProcess process = Ratio(1)(request, index);
    if (index == 10) process.medians[0].mode = "cold";
    return process;
  };
  const Played played = Play({"a"}, {.seed = 1}, answer);
  EXPECT_EQ(played.result.cases[0].failure->outcome, CRASH);
}

TEST(Campaign, APercentileThatAProcessHasTooFewQueriesForIsNotCompared) {
  const auto answer = [](const ProcessRequest& request, int index) {
    MeasuredProcess process = Ratio(1)(request, index);
    ModeMedian tail = process.medians[0];
    tail.mode = "server at 5/s p99";
    if (index != 10) process.medians.push_back(tail);
    return process;
  };
  const CampaignResult result = Play({"a"}, {.seed = 1}, answer).result;
  EXPECT_FALSE(result.cases[0].failure.has_value());
  ASSERT_EQ(result.series.size(), 2u);
  EXPECT_EQ(result.series[0].verdict, Conclusion::kSame);
  EXPECT_EQ(result.series[1].verdict, Conclusion::kNotCompared);
  EXPECT_TRUE(absl::StrContains(result.series[1].reason, "too few queries"))
      << result.series[1].reason;
}

TEST(Campaign, ProgressEndsAtItsPlan) {
  const Played played = Play({"a", "b"}, {.seed = 1}, Ratio(1));
  ASSERT_FALSE(played.progress.empty());
  const CampaignProgress& last = played.progress.back();
  EXPECT_EQ(last.done, last.planned);
  EXPECT_EQ(last.done, static_cast<int>(played.requests.size()));
  EXPECT_EQ(last.at_most, 4 + 3 * 80);
}

TEST(Campaign, TheSameSeedAndTimesGiveTheSameResult) {
  const auto play = [] {
    SimulatedMachine machine({.kind = NoiseKind::kSpells, .pair_sd = 0.02}, 3);
    return Play({"a"}, {.seed = 4},
                [&](const ProcessRequest& request, int) { return machine.Run(request); });
  };
  const Played a = play(), b = play();
  EXPECT_EQ(a.result.series[0].log_ratios, b.result.series[0].log_ratios);
  EXPECT_EQ(a.result.series[0].estimate->bootstrap->low,
            b.result.series[0].estimate->bootstrap->low);
}

}  // namespace
}  // namespace assay::compare

#include "benchmarks/harness/runner/vary/varied_case.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/vary/places_model.h"
#include "benchmarks/harness/runner/vary/scaled_places.h"
#include "benchmarks/harness/runner/vary/sized_case.h"
#include "benchmarks/harness/runner/vary/stale_size.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using execution::Executable;
using execution::Step;
using execution::Tensors;
using ::testing::HasSubstr;

// A back end that compiles for each size of rows, and fails at one.
class Compiling final : public Executable {
 public:
  Compiling(std::unique_ptr<Executable> inner, int64_t fails_at)
      : Executable(inner->program()), inner_(std::move(inner)), fails_at_(fails_at) {}

  void SetInputs(Tensors inputs) override {
    if (lengths_.insert(length_ = inputs[0].size(1)).second) ++compilations_;
    inner_->SetInputs(std::move(inputs));
  }
  const Tensors& Inputs() const override { return inner_->Inputs(); }
  Tensors Outputs() override {
    TORCH_CHECK(length_ != fails_at_, "no kernel for this size");
    return inner_->Outputs();
  }
  void Begin(Step step) override { inner_->Begin(step); }
  void BeginVerified(Step step) override { inner_->BeginVerified(step); }
  void Prepare(Step step) override { inner_->Prepare(step); }
  Tensors Call(Step step) override { return inner_->Call(step); }
  int64_t Compilations() const override { return compilations_; }

 private:
  const std::unique_ptr<Executable> inner_;
  const int64_t fails_at_;
  std::set<int64_t> lengths_;
  int64_t length_ = 0, compilations_ = 0;
};

CheckStatus StatusOf(std::string_view name, const Measurement& m) {
  for (const Check& check : m.checks()) {
    if (check.name() == name) return check.status();
  }
  return CHECK_STATUS_UNSPECIFIED;
}

CheckStatus TimedCheck(const Measurement& m) { return StatusOf("timed_is_verified", m); }

class VariedCaseTest : public testing::Test {
 protected:
  VariedCaseTest() {
    places_fault = PlacesFault::kNone;
    ResetPlaces();
    program_ = *execution::SeededProgram(case_, case_.measured());
    executable_ = execution::LoadEager({}, *program_);
  }
  ~VariedCaseTest() override { places_fault = PlacesFault::kNone; }

  absl::Status Open(bool compared = true) {
    for (const MixSize& size : mix_.sizes) {
      auto sized = SizedCase(case_, size);
      if (!sized.ok()) return sized.status();
      sizes_.push_back(*std::move(sized));
    }
    varied_.emplace(VariedParts{.mix = mix_,
                                .declared = case_,
                                .sizes = sizes_,
                                .executable = *executable_,
                                .device = device_,
                                .torch_device = at::kCPU});
    absl::Status status = varied_->Open();
    if (status.ok()) status = varied_->CallFirst([this] { ++called_; });
    if (status.ok() && compared) status = varied_->ComputeTruths();
    return status;
  }

  Verdict Verified() {
    const absl::Status opened = Open();
    EXPECT_TRUE(opened.ok()) << opened;
    Verdict verdict;
    verdict.set_outcome(PASS);
    if (opened.ok()) varied_->Verify(verdict);
    return verdict;
  }

  Mix mix_ = *ParseMix("tokens=3,8:2,5", 0);
  ResolvedCase case_ = ScaledPlacesCase();
  std::vector<ResolvedCase> sizes_;
  sampling::CpuDevice device_;
  std::unique_ptr<execution::Program> program_;
  std::unique_ptr<Executable> executable_;
  std::optional<VariedCase> varied_;
  int called_ = 0;  // behind first outputs
};

TEST_F(VariedCaseTest, VerifiesEachSizeAndMeasuresAll) {
  const Verdict verdict = Verified();
  EXPECT_EQ(called_, 1);
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  ASSERT_EQ(verdict.checks_size(), 4);
  EXPECT_THAT(verdict.checks(1).detail(), HasSubstr("tokens=8: rms "));
  EXPECT_EQ(verdict.checks(3).name(), "between_sizes");
  for (const Check& check : verdict.checks()) EXPECT_EQ(check.status(), CHECK_OK);

  const auto measured = varied_->Measure({.budget = absl::Milliseconds(5)});
  ASSERT_TRUE(measured.ok()) << measured.status();
  ASSERT_EQ(measured->size(), 4);
  const Measurement& all = (*measured)[0];
  EXPECT_EQ(all.mode(), "vary");
  EXPECT_EQ(all.varied().weight(), 4);
  EXPECT_EQ(all.samples_ns_size(), all.varied().decks());
  EXPECT_EQ(all.calls_per_sample(), 4);
  EXPECT_EQ(all.unit(), "token");
  EXPECT_EQ(all.units_per_call(), 2 * (3 + 8 + 8 + 5) / 4.0);
  EXPECT_TRUE(all.headline());
  const Measurement& of_eight = (*measured)[2];
  EXPECT_EQ(of_eight.mode(), "vary:tokens=8");
  EXPECT_EQ(of_eight.varied().size(), "tokens=8");
  EXPECT_EQ(of_eight.samples_ns_size(), 2 * all.varied().decks());
  EXPECT_EQ(of_eight.unit(), "token");
  EXPECT_EQ(of_eight.units_per_call(), 16);
  EXPECT_GT(of_eight.varied().alone_ns(), 0);
  EXPECT_GT(of_eight.varied().ratio(), 0);
  EXPECT_GT(of_eight.first_call_ns(), 0);
  for (const Measurement& m : *measured) {
    EXPECT_EQ(TimedCheck(m), CHECK_OK);
  }

  Record record;
  for (const Measurement& m : *measured) *record.add_measurements() = m;
  const std::string lines = VariedLines(record);
  EXPECT_THAT(lines,
              HasSubstr(absl::StrCat(all.varied().decks(), " decks of 4 calls, dealt by seed 0")));
  for (const char* text : {"\nall, as dealt ", "\ntokens=3 ", "\ntokens=8 ", " token/s "})
    EXPECT_THAT(lines, HasSubstr(text));
}

TEST_F(VariedCaseTest, MeasuresWithoutComparing) {
  ASSERT_TRUE(Open(/*compared=*/false).ok());
  const auto measured = varied_->Measure({.budget = absl::Milliseconds(1)});
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(TimedCheck((*measured)[0]), CHECK_NOT_RUN);
}

TEST_F(VariedCaseTest, FindsAMaskOfTheFirstSize) {
  places_fault = PlacesFault::kMaskOfFirst;
  const Verdict verdict = Verified();
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), HasSubstr("tokens=8: output \"y\""));
  EXPECT_EQ(verdict.checks(0).status(), CHECK_OK);  // the first size is right
  EXPECT_EQ(verdict.checks(1).status(), CHECK_FLAGGED);
}

TEST_F(VariedCaseTest, FindsAMaskOfTheSizeBefore) {
  places_fault = PlacesFault::kMaskOfLast;
  const Verdict verdict = Verified();
  EXPECT_EQ(verdict.outcome(), NONDETERMINISTIC_BASELINE) << verdict.message();
  EXPECT_THAT(verdict.message(), HasSubstr("tokens=8: "));
}

// It is right behind the size before it in the mix, and wrong behind the one after it.
TEST_F(VariedCaseTest, CallsEachSizeBehindBothOfItsNeighbours) {
  places_fault = PlacesFault::kAfterEight;
  const Verdict verdict = Verified();
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY) << verdict.message();
  EXPECT_THAT(verdict.message(), HasSubstr("tokens=3: a call behind one of tokens=8 gives other"));
}

// Outputs that may differ are held to float64: between others, and behind the timed calls.
TEST_F(VariedCaseTest, ComparesOutputsThatMayDiffer) {
  Nondeterminism& declared = *case_.mutable_benchmark_case()->add_nondeterministic();
  declared.set_device(CPU);
  declared.set_reason("adds atomically");
  const Verdict right = Verified();
  EXPECT_EQ(right.outcome(), PASS) << right.message();
  EXPECT_THAT(right.checks(3).detail(), HasSubstr("within the limits; adds atomically"));
  const auto measured = varied_->Measure({.budget = absl::Milliseconds(5)});
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(TimedCheck((*measured)[0]), CHECK_OK);

  for (const PlacesFault fault : {PlacesFault::kAfterEight, PlacesFault::kLatePlaces}) {
    sizes_.clear();
    ResetPlaces();
    places_fault = fault;
    const Verdict wrong = Verified();
    std::string message = wrong.message();
    if (fault == PlacesFault::kLatePlaces) {
      EXPECT_EQ(wrong.outcome(), PASS) << wrong.message();
      const auto timed = varied_->Measure({.budget = absl::Milliseconds(5)});
      EXPECT_EQ(OutcomeOf(timed.status()), FAIL_ACCURACY) << timed.status();
      message = std::string(timed.status().message());
    } else {
      EXPECT_EQ(wrong.outcome(), FAIL_ACCURACY);
    }
    EXPECT_THAT(message, HasSubstr("\noutput \"y\" differs from the reference"));
  }
}

// A lowered case has its second judgement at each size: this model has no layer to lower.
TEST_F(VariedCaseTest, JudgesTheLayersOfALoweredCase) {
  case_.mutable_benchmark_case()->mutable_execution()->set_lowering("int8_dynamic");
  const Verdict verdict = Verified();
  EXPECT_NE(verdict.outcome(), PASS);
  EXPECT_THAT(verdict.message(), HasSubstr("nothing that int8_dynamic changes"));
}

// Only the second round of calls between others shows it.
TEST_F(VariedCaseTest, FindsWhatOnlyACallBetweenOthersShows) {
  places_fault = PlacesFault::kLatePlaces;
  ResetPlaces(/*calls_before=*/38);
  const Verdict verdict = Verified();
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY) << verdict.message();
  EXPECT_THAT(verdict.message(), HasSubstr("something of the other size was kept"));
}

TEST_F(VariedCaseTest, FindsTheMistake) {
  executable_ = WithStaleSize(std::move(executable_));
  const Verdict verdict = Verified();
  EXPECT_NE(verdict.outcome(), PASS);
  EXPECT_THAT(verdict.message(), HasSubstr("tokens=3: "));
}

TEST_F(VariedCaseTest, FindsACallThatRemembersAndOneThatIsWrongLater) {
  for (const PlacesFault fault : {PlacesFault::kRemembers, PlacesFault::kLatePlaces}) {
    sizes_.clear();
    ResetPlaces();
    places_fault = fault;
    EXPECT_EQ(Verified().outcome(), PASS);
    const auto measured = varied_->Measure({.budget = absl::Milliseconds(5)});
    EXPECT_EQ(OutcomeOf(measured.status()), FAIL_ACCURACY) << measured.status();
    EXPECT_THAT(measured.status().message(), HasSubstr("tokens=3: behind the timed calls"));
  }
}

TEST_F(VariedCaseTest, CountsCompilations) {
  executable_ = std::make_unique<Compiling>(std::move(executable_), 0);
  ASSERT_TRUE(Open(false).ok());
  auto measured = varied_->Measure({.budget = absl::Milliseconds(1)});
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ((*measured)[0].varied().compilations(), 3);
  EXPECT_EQ((*measured)[1].varied().compilations(), 1);
  EXPECT_GT((*measured)[1].varied().made_s(), 0);
}

// The model takes the size, so the command line is right, and no file is missing.
TEST_F(VariedCaseTest, ABackEndThatFailsAtASizeIsNoUsageError) {
  executable_ = std::make_unique<Compiling>(std::move(executable_), 8);
  for (const char* backend : {"eager", "aoti"}) {
    sizes_.clear();
    case_.mutable_benchmark_case()->mutable_execution()->set_backend(backend);
    const absl::Status opened = Open();
    EXPECT_TRUE(absl::IsInternal(opened)) << opened;
    EXPECT_THAT(opened.message(), HasSubstr("no kernel for this size"));
  }
}

// Nor is it the size where the model fails at its own.
TEST_F(VariedCaseTest, AModelThatFailsAtEverySizeIsNoUsageError) {
  ASSERT_TRUE(Open(false).ok());
  places_fault = PlacesFault::kNoDouble;
  const absl::Status computed = varied_->ComputeTruths();
  EXPECT_TRUE(absl::IsInternal(computed)) << computed;
  EXPECT_THAT(computed.message(), HasSubstr("no float64"));
}

TEST_F(VariedCaseTest, RefusesASizeWithOtherWeights) {
  mix_ = *ParseMix("learned=1,2", 0);
  const absl::Status opened = Open();
  EXPECT_TRUE(IsUsageError(opened)) << opened;
  EXPECT_THAT(
      opened.message(),
      HasSubstr("--vary: learned=2: the model does not take it: its weights \"w\" are [24], "
                "and this program has \"w\" [12]"));
}

// Its table has no declared limit.
TEST_F(VariedCaseTest, RefusesASizeThatTheModelFailsAt) {
  case_.mutable_implementation()->clear_checkpoint_configs();
  mix_ = *ParseMix("tokens=4,13", 0);
  const absl::Status opened = Open();
  EXPECT_TRUE(IsUsageError(opened)) << opened;
  EXPECT_THAT(opened.message(), HasSubstr("--vary: tokens=13: the model does not take it: "));
}

}  // namespace
}  // namespace assay::runner

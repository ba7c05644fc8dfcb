// Tests a run of a small mlp from its settings to its exit code, record and testimony.
#include "benchmarks/harness/runner/case_run.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/vary/mix.h"
#include "benchmarks/harness/runner/vary/places_model.h"
#include "benchmarks/harness/runner/vary/scaled_places.h"
#include "benchmarks/harness/runner/vary/sized_case.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "defs/case/case_steps.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

// A loss whose gradient does not fit into memory while `starved`.
bool starved = true;

struct LargeGradient : torch::autograd::Function<LargeGradient> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) {
    return x.clone();
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext*,
                                               torch::autograd::tensor_list gradients) {
    if (starved) at::empty({int64_t{1} << 58});
    return gradients;
  }
};

// y = x * w.
class LargeInBackward : public models::Model, public models::Trainable {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {at::mul(inputs[0], weight_)};
  }
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor>) override {
    return LargeGradient::apply(outputs[0].mean());
  }
  std::vector<models::NamedTensor> State() override { return {{"w", weight_, {2, 0, 1}, true}}; }
  void To(at::Device device, at::ScalarType dtype) override { weight_ = weight_.to(device, dtype); }
  void SetTraining(bool) override {}

 private:
  at::Tensor weight_ = at::empty({5}, at::kFloat);
};

ASSAY_MODEL_IMPLEMENTATION("large_in_backward",
                           [](const models::Parameters&)
                               -> absl::StatusOr<std::unique_ptr<models::Model>> {
                             return std::make_unique<LargeInBackward>();
                           });

class CaseRuns : public ::testing::Test {
 protected:
  CaseRuns() {
    settings_.reference_path = folder_ + "/reference.safetensors";
    settings_.record_path = folder_ + "/runs.jsonl";
    settings_.budget = absl::Milliseconds(10);
    settings_.strict_budget = true;
    settings_.methods = {sampling::Mode::kWall};
    EXPECT_TRUE(Export(case_, {.reference = settings_.reference_path}).ok());
    const std::string blob = *tensor_files::ReadFile(settings_.reference_path, 1 << 20);
    case_.mutable_reference()->set_key("mlp_fp32_b2");
    case_.mutable_reference()->set_sha256(base::Sha256Hex(blob));
    case_.mutable_reference()->set_size_bytes(static_cast<int64_t>(blob.size()));
    setenv("ASSAY_TESTIMONY", Testimony().c_str(), 1);
  }
  ~CaseRuns() override { unsetenv("ASSAY_TESTIMONY"); }

  std::string Testimony() const { return folder_ + "/testimony"; }

  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): its Run() is private.
  int Run() {
    SetSteps(case_);
    return CaseRun(case_, {}, settings_, &interrupted_).Execute();
  }

  // The record that the run left; an empty one if there is none.
  Record Left() const {
    const auto file = record::ReadAll(settings_.record_path);
    return file.ok() && file->records.size() == 1 ? file->records[0] : Record();
  }
  std::string Testified() const {
    return tensor_files::ReadFile(Testimony(), 1000).value_or("nothing");
  }

  const std::string folder_ = tensor_files::TestFolder();
  ResolvedCase case_ = SmallMlpCase();
  Settings settings_;
  std::atomic<bool> interrupted_{false};
};

// Runs whose sizes change from call to call.
class VariedRuns : public CaseRuns {
 protected:
  VariedRuns() {
    places_fault = PlacesFault::kNone;
    ResetPlaces();
    case_ = ScaledPlacesCase();
    settings_.mix = *ParseMix("tokens=3,8:2", 5);
    EXPECT_TRUE(Export(case_, {.reference = settings_.reference_path}).ok());
    const std::string blob = *tensor_files::ReadFile(settings_.reference_path, 1 << 20);
    case_.mutable_reference()->set_key("scaled_places_fp32_b2");
    case_.mutable_reference()->set_sha256(base::Sha256Hex(blob));
    case_.mutable_reference()->set_size_bytes(static_cast<int64_t>(blob.size()));
  }
  int RunSizes() {
    std::vector<ResolvedCase> sizes;
    for (const MixSize& size : settings_.mix->sizes) sizes.push_back(*SizedCase(case_, size));
    if (rows_of_last_ > 0)
      sizes.back().mutable_measured()->mutable_inputs(0)->set_shape(0, rows_of_last_);
    return CaseRun(case_, {}, settings_, &interrupted_, {}, sizes).Execute();
  }

  int64_t rows_of_last_ = 0;  // of the last size; 0: as resolved
};

TEST_F(VariedRuns, AreVerifiedAndMeasured) {
  EXPECT_EQ(RunSizes(), 0);
  EXPECT_EQ(Left().outcome(), PASS);
  ASSERT_EQ(Left().measurements_size(), 3);
  EXPECT_EQ(Left().measurements(0).mode(), "vary");
  EXPECT_EQ(Left().measurements(0).varied().seed(), 5);
  EXPECT_EQ(Left().measurements(2).varied().size(), "tokens=8");
  ASSERT_EQ(Left().verdict().checks_size(), 3);
  EXPECT_EQ(Left().verdict().checks(2).name(), "between_sizes");
}

TEST_F(VariedRuns, DoNotBeginWhereTheInputsOfASizeDoNotFitIntoMemory) {
  rows_of_last_ = int64_t{1} << 40;
  EXPECT_EQ(RunSizes(), 2);
  EXPECT_THAT(Left().error(), HasSubstr("the inputs of batch 2 and of --vary take"));
  EXPECT_EQ(Left().measurements_size(), 0);
}

// The case's own size comes behind the others' first calls, so its reference finds it as well.
TEST_F(VariedRuns, EndInAFailureWhereASizeIsWrong) {
  settings_.mistake = "stale_size";
  EXPECT_EQ(RunSizes(), 1);
  EXPECT_EQ(Left().outcome(), FAIL_ACCURACY);
  EXPECT_THAT(Left().verdict().message(), HasSubstr("differs from the reference"));
  EXPECT_EQ(Left().measurements_size(), 3);
}

TEST_F(VariedRuns, EndInAFailureWhereATimedCallIsWrong) {
  places_fault = PlacesFault::kLatePlaces;
  EXPECT_EQ(RunSizes(), 1);
  EXPECT_EQ(Left().outcome(), FAIL_ACCURACY);
  EXPECT_THAT(Left().error(), HasSubstr("behind the timed calls"));
  places_fault = PlacesFault::kNone;
}

TEST_F(VariedRuns, AreVerifiedAlone) {
  settings_.action = Action::kVerify;
  EXPECT_EQ(RunSizes(), 0);
  EXPECT_EQ(Left().measurements_size(), 0);
  EXPECT_EQ(Left().verdict().checks_size(), 3);
}

TEST_F(VariedRuns, AreMeasuredAlone) {
  settings_.verify = false;
  EXPECT_EQ(RunSizes(), 0);
  EXPECT_EQ(Left().outcome(), NOT_VERIFIED);
  EXPECT_EQ(Left().measurements_size(), 3);
  EXPECT_EQ(Left().verdict().checks_size(), 0);
}

TEST_F(VariedRuns, ThatTheModelDoesNotTakeAreAWrongCommandLine) {
  settings_.mix = *ParseMix("learned=1,2", 0);
  EXPECT_EQ(RunSizes(), 3);
  EXPECT_EQ(Left().schema_version(), 0);  // nothing is recorded
}

TEST_F(CaseRuns, MeasuresWhatItHasVerified) {
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().outcome(), PASS);
  EXPECT_EQ(Left().schema_version(), 2);
  ASSERT_EQ(Left().measurements_size(), 1);
  EXPECT_GT(Left().measurements(0).median_ns(), 0);
  EXPECT_EQ(Testified(), "measure //x:mlp_fp32_b2\n");
}

TEST_F(CaseRuns, AModuleIsForBackEndsThatReadOne) {
  settings_.module_path = folder_ + "/module.pt2";
  testing::internal::CaptureStderr();
  EXPECT_EQ(Run(), 3);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("--module: the back end eager reads no file"));
}

TEST_F(CaseRuns, GivenInputsAreNotForScalesOfTheSeededOnes) {
  case_.mutable_benchmark_case()->mutable_execution()->set_lowering("int8_static");
  settings_.given.inputs = settings_.reference_path;
  testing::internal::CaptureStderr();
  EXPECT_EQ(Run(), 3);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("--inputs: the scales of --lowering=int8_static"));
}

TEST_F(CaseRuns, AnotherBatchTakesTheProgramOfTheRunBefore) {
  case_.mutable_implementation()->mutable_inputs(0)->add_shape("batch");
  CaseRun first(case_, {}, settings_, &interrupted_);
  EXPECT_EQ(first.Execute(), 0);
  const absl::StatusOr<ResolvedCase> one_row =
      configuration::WithCallFlags(case_, {.batch = 1}, configuration::Comparison::kMeasured, CPU);
  ASSERT_TRUE(one_row.ok()) << one_row.status();
  settings_.shared = true;
  CaseRun second(*one_row, {}, settings_, &interrupted_, first.TakeProgram());
  EXPECT_EQ(second.Execute(), 0);
  LoadedProgram spoilt = second.TakeProgram();
  for (models::NamedTensor& entry : spoilt.program->State()) entry.tensor.zero_();
  CaseRun third(*one_row, {}, settings_, &interrupted_, std::move(spoilt));
  EXPECT_EQ(third.Execute(), 1) << "it made a program of its own";
  const auto file = record::ReadAll(settings_.record_path);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->records.size(), 3u);
  const Record& with_two = file->records[0];
  const Record& with_one = file->records[1];
  EXPECT_EQ(with_one.workload().batch(), 1);
  EXPECT_EQ(with_one.outcome(), PASS);
  EXPECT_EQ(file->records[2].outcome(), FAIL_ACCURACY);
  ASSERT_EQ(with_two.starts_s_size(), 1);
  EXPECT_GT(with_two.starts_s(0), with_two.verdict().first_call_s());
  EXPECT_GT(with_two.weights_s(), 0);
  EXPECT_FALSE(with_two.launch().shared());
  EXPECT_TRUE(with_one.launch().shared());
  EXPECT_EQ(with_one.starts_s_size(), 0);
  EXPECT_EQ(with_one.weights_s(), 0);
}

TEST_F(CaseRuns, SaysWhenItStartedWithoutAVerdictToo) {
  settings_.verify = false;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().starts_s_size(), 1);
}

TEST_F(CaseRuns, ReadsManyInputsWhereTheyAreRandom) {
  settings_.randomize_inputs = true;
  settings_.methods.push_back(sampling::Preset::kDiscrete);
  EXPECT_EQ(Run(), 0);
  const Record left = Left();
  ASSERT_EQ(left.measurements_size(), 2);
  for (const Measurement& m : left.measurements()) {
    EXPECT_EQ(m.bytes_touched(), 64 * 2 * 5 * 4) << m.mode() << m.preset();
    for (const Check& check : m.checks()) {
      if (!absl::StrContains(check.name(), "puts_")) continue;  // load cannot flag these
      EXPECT_NE(check.status(), CHECK_FLAGGED) << check.name() << ": " << check.detail();
    }
  }
}

TEST_F(CaseRuns, CountsTheMemoryOfWhatItHasMeasured) {
  EXPECT_EQ(Run(), 0);
  const ProgramMemory memory = Left().memory();
  EXPECT_EQ(memory.parameter_bytes(), 4 * (5 * 7 + 7 + 7 * 7 + 7 + 7 * 3 + 3));
  ASSERT_EQ(memory.steps_size(), 1);
  EXPECT_EQ(memory.steps(0).step(), "forward");
  EXPECT_GT(memory.steps(0).peak_bytes(), 0);
  EXPECT_GE(memory.peak_host_bytes(), Left().measurements(0).peak_host_bytes());
  EXPECT_EQ(Left().measurements(0).checks().rbegin()->name(), "tensors_freed");
}

// The process writes its record and continues.
TEST_F(CaseRuns, MemoryThatRunsOutInBackwardEndsTheRunAndKeepsWhatWasMeasured) {
  settings_.verify = false;
  settings_.steps = {"forward", "backward", "train_step"};
  BenchmarkCase& b = *case_.mutable_benchmark_case();
  b.set_mode(TRAIN);
  b.mutable_training()->set_loss(OWN);
  b.mutable_training()->add_optimizers()->mutable_sgd()->set_learning_rate(0.1);
  case_.mutable_implementation()->set_name("large_in_backward");
  starved = true;
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), OUT_OF_MEMORY);
  EXPECT_THAT(Left().error(), HasSubstr("step backward"));
  EXPECT_THAT(Left().error(), HasSubstr("allocate"));
  ASSERT_EQ(Left().measurements_size(), 1);
  EXPECT_EQ(Left().measurements(0).step(), "forward");
  EXPECT_GT(Left().measurements(0).median_ns(), 0);

  starved = false;
  settings_.record_path = folder_ + "/later.jsonl";
  EXPECT_NE(Run(), 2);
  EXPECT_EQ(Left().outcome(), NOT_VERIFIED);
  EXPECT_EQ(Left().measurements_size(), 3);
}

TEST_F(CaseRuns, TestifiesToTheActionThatItWasAskedFor) {
  settings_.action = Action::kVerify;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().measurements_size(), 0);
  EXPECT_EQ(Testified(), "verify //x:mlp_fp32_b2\n");
  settings_.action = Action::kSmoke;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Testified(), "verify //x:mlp_fp32_b2\nsmoke //x:mlp_fp32_b2\n")
      << "cases of one process testify in one file";
}

TEST_F(CaseRuns, TestifiesToNothingThatIsNotTheCaseAsDeclared) {
  settings_.call.batch = 2;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, TestifiesToNothingThatAnotherRuleOrAMajorityPassed) {
  settings_.accuracy.runs = 3;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().verdict().passed_runs(), 3);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, SavedOutputsThatAreNotThereAreTheSurroundingsFault) {
  settings_.accuracy.compare_outputs = folder_ + "/none.safetensors";
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), ARTIFACT_UNAVAILABLE);
}

TEST_F(CaseRuns, SavedOutputsThatAreNoneAreAWrongCommandLine) {
  settings_.accuracy.compare_outputs = settings_.reference_path;
  EXPECT_EQ(Run(), 3);
}

TEST_F(CaseRuns, TestifiesToNothingThatWasNotVerified) {
  settings_.verify = false;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().outcome(), NOT_VERIFIED);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, MeasuresAWrongModelTooAndFails) {
  case_.mutable_benchmark_case()->set_seed(7);  // another model's weights
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(Left().outcome(), FAIL_ACCURACY);
  EXPECT_EQ(Left().measurements_size(), 1);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ADamagedReferenceIsTheSurroundingsFault) {
  ASSERT_TRUE(tensor_files::WriteFileAtomically(settings_.reference_path, "x").ok());
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), FAIL_ARTIFACT);
}

TEST_F(CaseRuns, WithoutAReferenceIsNoPass) {
  case_.clear_reference();
  settings_.reference_path.clear();
  EXPECT_NE(Run(), 0);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ADeclaredSkipRunsNothingAndSaysWhy) {
  Skip& skip = *case_.mutable_benchmark_case()->add_skips();
  skip.set_device(CPU);
  skip.set_reason("no kernel");
  settings_.action = Action::kVerify;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().outcome(), SKIPPED_DECLARED);
  EXPECT_THAT(Left().error(), HasSubstr("no kernel"));
  EXPECT_EQ(Testified(), "verify //x:mlp_fp32_b2\n");
}

// A GPU of compute capability 9.0, whose tensors lie on the CPU.
TEST_F(CaseRuns, ASkipBelowACapabilityIsForLowerOnesAlone) {
  settings_.device = CUDA;
  settings_.cuda_plugin_path = "benchmarks/harness/sampling/cuda/libhopper_plugin.so";
  settings_.action = Action::kVerify;
  Skip& skip = *case_.mutable_benchmark_case()->add_skips();
  skip.set_device(CUDA);
  skip.set_reason("no kernel");
  skip.set_below_capability("9.0");
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().outcome(), PASS);
  ASSERT_TRUE(tensor_files::WriteFileAtomically(settings_.record_path, "").ok());
  skip.set_below_capability("10.0");
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().outcome(), SKIPPED_DECLARED);
  EXPECT_EQ(Left().error(), "on CUDA below compute capability 10.0: no kernel");
}

TEST_F(CaseRuns, ALoweringThatTheGpuIsTooOldForIsAWrongCommandLine) {
  settings_.device = CUDA;
  settings_.cuda_plugin_path = "benchmarks/harness/sampling/cuda/libhopper_plugin.so";
  case_.mutable_benchmark_case()->mutable_execution()->set_lowering("mxfp8_dynamic");
  testing::internal::CaptureStderr();
  EXPECT_EQ(Run(), 3);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("--lowering=mxfp8_dynamic: its kernels need a GPU of compute capability "
                        "10.0 or above; Fake H100 has 9.0; --lowering=fp8_dynamic runs from 8.9"));
  EXPECT_EQ(Left().outcome(), OUTCOME_UNSPECIFIED);
}

TEST_F(CaseRuns, AFilterThatMatchesNothingIsAWrongCommandLineAndNoRecord) {
  settings_.filter = "nothing";
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(Left().outcome(), OUTCOME_UNSPECIFIED);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ARecordThatCannotBeWrittenIsSaidBeforeAnythingIsMeasured) {
  settings_.record_path = folder_ + "/no/folder/runs.jsonl";
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ATestimonyThatCannotBeWrittenIsNoPass) {
  setenv("ASSAY_TESTIMONY", (folder_ + "/no/folder/testimony").c_str(), 1);
  EXPECT_EQ(Run(), 2);
}

TEST_F(CaseRuns, AnInterruptedRunIsNoPassAndKeepsItsVerdict) {
  interrupted_ = true;
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), INTERRUPTED);
  EXPECT_EQ(Left().verdict().outcome(), PASS);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ARunThatIsNotDoneInTimeEndsTheProcess) {
  settings_.budget = absl::Hours(1);
  settings_.strict_budget = true;
  // The watchdog writes the record while the run is about to change it, wherever that is.
  for (int tenths = 1; tenths < 100; tenths += 7) {
    std::filesystem::remove(settings_.record_path);
    settings_.timeout = absl::Microseconds(100 * tenths);
    EXPECT_EXIT(Run(), ::testing::ExitedWithCode(2), "not done within ");
    EXPECT_EQ(Left().outcome(), TIMEOUT);
  }
}

// The operators that LibTorch ran, in order, and the ranges that only the profiler opens.
struct Seen {
  bool in_range = false;
  int operators_before = 0, ranges = 0, operators_after = 0, operators_inside = 0;
};
Seen seen;

std::unique_ptr<at::ObserverContext> See(const at::RecordFunction& function) {
  if (function.scope() == at::RecordScope::USER_SCOPE) {
    seen.in_range = true;
    ++seen.ranges;
  } else if (seen.in_range) {
    ++seen.operators_inside;
  } else {
    ++(seen.ranges == 0 ? seen.operators_before : seen.operators_after);
  }
  return nullptr;
}

void SeeEnd(const at::RecordFunction& function, at::ObserverContext*) {
  if (function.scope() == at::RecordScope::USER_SCOPE) seen.in_range = false;
}

class ProfiledCaseRuns : public CaseRuns {
 protected:
  ~ProfiledCaseRuns() override { setenv("PATH", path_.c_str(), 1); }

  int RunAndSee() {
    seen = {};
    const at::CallbackHandle handle = at::addGlobalCallback(
        at::RecordFunctionCallback(See, SeeEnd)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE}));
    const int code = Run();
    at::removeCallback(handle);
    return code;
  }
  void AskForNsys() {
    settings_.profile = {.trace = false, .tool = profile::Tool::kNsys, .folder = folder_ + "/p"};
  }

  const std::string path_ = std::getenv("PATH");
};

// Profiling changes no timed number, because it begins when the last was taken.
TEST_F(ProfiledCaseRuns, ProfileOnlyWhenAllIsMeasured) {
  settings_.profile = {.trace = true, .tool = {}, .folder = folder_ + "/a/b", .calls = 2};
  EXPECT_EQ(RunAndSee(), 0);
  EXPECT_GT(seen.operators_before, 0);
  EXPECT_EQ(seen.ranges, 2);
  EXPECT_GT(seen.operators_inside, 0);
  EXPECT_EQ(seen.operators_after, 0);
  EXPECT_EQ(Left().measurements_size(), 1);
  const Profile kept = Left().profile();
  EXPECT_THAT(kept.steps(), ::testing::ElementsAre("forward"));
  EXPECT_EQ(kept.calls(), 2);
  EXPECT_TRUE(std::filesystem::equivalent(kept.trace(), folder_ + "/a/b/trace.json"));
  EXPECT_EQ(kept.snapshot(), "");
  for (const char* name : {"trace.json", "operators.txt", "operators.csv", "operators.json"}) {
    EXPECT_TRUE(std::filesystem::exists(absl::StrCat(folder_, "/a/b/", name))) << name;
  }
}

TEST_F(ProfiledCaseRuns, CaptureATraceOfEachStepWhenAllIsMeasured) {
  settings_.profile.capture = settings_.profile.capture_values = true;
  settings_.profile.capture_folder = folder_ + "/traces";
  EXPECT_EQ(RunAndSee(), 0);
  EXPECT_EQ(seen.ranges, 3) << "a call to warm up, one for the times, one for the arguments";
  EXPECT_EQ(Left().measurements_size(), 1);
  const std::string name =
      absl::StrCat(folder_, "/traces/", Left().benchmark_case().name(), ".forward");
  EXPECT_TRUE(std::filesystem::exists(name + ".json"));
  EXPECT_TRUE(std::filesystem::exists(name + ".values.safetensors")) << "weights and inputs";
}

TEST_F(ProfiledCaseRuns, CaptureLibTorchsOwnTraceBeside) {
  settings_.profile.capture = settings_.profile.capture_observer = true;
  settings_.profile.capture_folder = folder_ + "/traces";
  EXPECT_EQ(RunAndSee(), 0);
  EXPECT_EQ(seen.ranges, 4) << "one call more than without";
  EXPECT_TRUE(std::filesystem::exists(
      absl::StrCat(folder_, "/traces/", Left().benchmark_case().name(), ".forward.observer.json")));
}

TEST_F(ProfiledCaseRuns, SayBeforeAnythingIsMeasuredThatTheProfileCannotBeWritten) {
  settings_.profile = {.trace = true, .tool = {}, .folder = settings_.reference_path};
  EXPECT_EQ(Run(), 2);
  settings_.profile.folder = settings_.reference_path + "/below/a/file";
  EXPECT_EQ(Run(), 2);
  settings_.profile.folder = "/proc/self";
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), OUTCOME_UNSPECIFIED);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(ProfiledCaseRuns, BlameTheSurroundingsForAToolThatIsNotInstalled) {
  setenv("PATH", folder_.c_str(), 1);
  AskForNsys();
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), OUTCOME_UNSPECIFIED);
}

TEST_F(ProfiledCaseRuns, FailByAToolThatWritesNothingAndKeepTheirNumbers) {
  setenv("PATH", absl::StrCat(folder_, ":", path_).c_str(), 1);
  ASSERT_TRUE(tensor_files::WriteFileAtomically(folder_ + "/nsys", "#!/bin/sh\n").ok());
  std::filesystem::permissions(folder_ + "/nsys", std::filesystem::perms::owner_all);
  AskForNsys();
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), RECORD_FAILED);
  EXPECT_THAT(Left().error(), HasSubstr("nsys ended without writing"));
  EXPECT_EQ(Left().measurements_size(), 1);
}

TEST_F(ProfiledCaseRuns, MakeTheCallsAndNothingElseInTheChildOfATool) {
  settings_.profile.only_ranges = true;
  EXPECT_EQ(RunAndSee(), 0);
  EXPECT_EQ(seen.ranges, 3);
  EXPECT_EQ(Left().measurements_size(), 0);
  EXPECT_EQ(Testified(), "nothing");
}

}  // namespace
}  // namespace assay::runner

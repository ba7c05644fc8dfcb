// Compares each model of a family with its Python implementation: parameter count, FLOPs of one
// call, name, dtype and shape of every tensor of its state, in order, and the norms and dropout of
// a call in training (training_watch.h).
//
//   model_golden_test benchmarks/mlp/golden_cases.txt ...     each with a path a line, of one case of each model
//
// The goldens are a line each in <folder of the reference script>/testdata/goldens.txt
// (golden_table.h). Where a model differs, its lines are written to Bazel's folder of the test's
// outputs, and the failure says the command that shows the difference. Nothing is computed: weights
// stay unfilled, so that pages of a large model take no memory, and products give zeros
// (skipped_products.h).

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/costs/flop_count.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/goldens/golden_table.h"
#include "benchmarks/harness/goldens/skipped_products.h"
#include "benchmarks/harness/goldens/training_watch.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/case_file.h"
#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"
#include "gtest/gtest.h"
#include "models/model.h"

namespace assay::goldens {
namespace {

// As Python writes it: "float32".
std::string DtypeText(at::ScalarType dtype) {
  switch (dtype) {
    case at::kFloat:
      return "float32";
    case at::kDouble:
      return "float64";
    case at::kLong:
      return "int64";
    case at::kInt:
      return "int32";
    case at::kBool:
      return "bool";
    default:
      return at::toString(dtype);
  }
}

std::string TensorLine(std::string_view what, std::string_view name, const at::Tensor& tensor) {
  const std::string shape = tensor.dim() == 0 ? "scalar" : absl::StrJoin(tensor.sizes(), "x");
  return absl::StrCat(what, " ", name, " ", DtypeText(tensor.scalar_type()), " ", shape);
}

// Elements of trainable tensors; tensors that share their memory count once.
int64_t ParameterCount(const std::vector<models::NamedTensor>& state) {
  std::set<const void*> seen;
  int64_t count = 0;
  for (const models::NamedTensor& entry : state) {
    const void* const memory = entry.tensor.storage().unsafeGetStorageImpl();
    if (entry.trainable && seen.insert(memory).second) count += entry.tensor.numel();
  }
  return count;
}

// The norms and dropout of a call in training.
absl::StatusOr<std::vector<std::string>> LinesOfTraining(const ResolvedCase& c,
                                                         const std::vector<at::Tensor>& inputs) {
  const absl::StatusOr<std::unique_ptr<models::Model>> model =
      execution::NewModel(c.implementation(), c.verified());
  if (!model.ok()) return model.status();
  std::vector<std::string> lines;
  const absl::Status called = base::CatchTorch("calling the model in training",
                                               [&] { lines = TrainingLines(**model, inputs); });
  if (!called.ok()) return called;
  return lines;
}

// The lines of which the golden is made, for our model.
absl::StatusOr<std::vector<std::string>> LinesOf(const ResolvedCase& c) {
  const absl::StatusOr<std::unique_ptr<execution::Program>> program =
      execution::NewProgram(c, c.verified());
  if (!program.ok()) return program.status();
  const absl::StatusOr<std::vector<at::Tensor>> inputs =
      execution::SeededInputs(c.verified(), FP32, c.benchmark_case().seed(), at::kCPU);
  if (!inputs.ok()) return inputs.status();
  const SkippedProducts shapes_alone;
  const auto executable = execution::LoadEager(c.benchmark_case().execution(), **program);
  executable->SetInputs(*inputs);
  const absl::StatusOr<std::optional<costs::FlopCount>> flops =
      costs::CountFlops(*executable, steps::kForward);
  if (!flops.ok()) return flops.status();
  const std::vector<models::NamedTensor> state = (*program)->State();
  std::vector<std::string> lines = {
      absl::StrCat("parameters ", ParameterCount(state)),
      flops->has_value() ? absl::StrFormat("flops %.0f", (*flops)->all) : "flops unknown"};
  for (size_t i = 0; i < inputs->size(); ++i) {
    const std::string& name = c.verified().inputs(static_cast<int>(i)).name();
    lines.push_back(TensorLine("input", name, (*inputs)[i]));
  }
  const absl::StatusOr<std::vector<std::string>> of_training = LinesOfTraining(c, *inputs);
  if (!of_training.ok()) return of_training.status();
  lines.insert(lines.end(), of_training->begin(), of_training->end());
  for (const models::NamedTensor& entry : state) {
    lines.push_back(TensorLine("state", entry.name, entry.tensor));
  }
  return lines;
}

std::string GoldenPath(const ResolvedCase& c) {
  const std::string& script = c.implementation().reference_script();
  return absl::StrCat(script.substr(0, script.rfind('/') + 1), "testdata/goldens.txt");
}

class ModelGoldenTest : public testing::Test {
 public:
  explicit ModelGoldenTest(ResolvedCase c) : case_(std::move(c)) {}

  void TestBody() override {
    const absl::StatusOr<std::vector<std::string>> lines = LinesOf(case_);
    ASSERT_TRUE(lines.ok()) << lines.status();
    const char* const folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
    const absl::Status equal = CompareWithGolden(GoldenPath(case_), case_.model().name(), *lines,
                                                 folder == nullptr ? "/tmp" : folder);
    if (!equal.ok()) FAIL() << equal.message();
  }

 private:
  const ResolvedCase case_;
};

class NoOtherGoldenTest : public testing::Test {
 public:
  NoOtherGoldenTest(std::string path, std::vector<std::string> models)
      : path_(std::move(path)), models_(std::move(models)) {}

  void TestBody() override {
    const absl::Status checked = CheckNoOtherGolden(path_, models_);
    if (!checked.ok()) FAIL() << checked.message();
  }

 private:
  const std::string path_;
  const std::vector<std::string> models_;
};

// One test for each case, and one for each file of goldens.
void RegisterTests(const std::vector<ResolvedCase>& cases) {
  std::map<std::string, std::vector<std::string>> models;
  for (const ResolvedCase& c : cases) {
    models[GoldenPath(c)].push_back(c.model().name());
    testing::RegisterTest("ModelGoldenTest", c.model().name().c_str(), nullptr, nullptr, __FILE__,
                          __LINE__, [c]() -> testing::Test* { return new ModelGoldenTest(c); });
  }
  for (const auto& [path, names] : models) {
    testing::RegisterTest("NoOtherGoldenTest", path.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [path = path, names = names]() -> testing::Test* {
                            return new NoOtherGoldenTest(path, names);
                          });
  }
}

}  // namespace
}  // namespace assay::goldens

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  at::set_num_threads(1);
  std::vector<assay::ResolvedCase> cases;
  for (int i = 1; i < argc; ++i) {
    std::ifstream list(argv[i]);
    if (!list) {
      std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 1;
    }
    for (std::string path; std::getline(list, path);) {
      absl::StatusOr<assay::ResolvedCase> c = assay::runner::ReadCase(path, "");
      if (!c.ok()) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), c.status().ToString().c_str());
        return 1;
      }
      cases.push_back(*std::move(c));
    }
  }
  if (cases.empty()) {
    std::fprintf(stderr, "no case is named; give it files with their paths\n");
    return 1;
  }
  assay::goldens::RegisterTests(cases);
  return RUN_ALL_TESTS();
}

#include "benchmarks/harness/goldens/training_watch.h"

#include <ATen/record_function.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/costs/operator_watch.h"

namespace assay::goldens {
namespace {

// A tensor's place in the state, and its name.
using Place = std::pair<size_t, std::string>;
using Places = std::map<const at::TensorImpl*, Place>;

struct Norm {
  Place place;
  std::string numbers;
};

// A run of neighbours that are equal except for their names.
struct Run {
  std::string what;
  std::string first, last;
  int64_t count;
};

void Append(std::vector<Run>& runs, const std::string& what, const std::string& name) {
  if (runs.empty() || runs.back().what != what) runs.push_back({what, name, name, 0});
  runs.back().last = name;
  ++runs.back().count;
}

struct Seen {
  Places places;
  std::vector<Norm> batch_norms, layer_norms, group_norms;
  std::vector<Run> elements, rows;
};

// Facts that the watched call has shown so far; callbacks are plain functions, so this is a global.
thread_local Seen* seen = nullptr;

Place PlaceOf(const c10::IValue& weight) {
  const Place nowhere = {std::numeric_limits<size_t>::max(), "-"};
  if (!weight.isTensor()) return nowhere;
  const auto found = seen->places.find(weight.toTensor().unsafeGetTensorImpl());
  return found == seen->places.end() ? nowhere : found->second;
}

std::string Epsilon(const c10::IValue& eps) { return absl::StrFormat("eps %g", eps.toDouble()); }

// Notes a drawn tensor of dropout: ones with the probability of staying. One number is drawn for
// each row.
void SeeDraws(const at::Tensor& drawn, double staying) {
  const bool of_rows = drawn.numel() == drawn.size(0);
  Append(of_rows ? seen->rows : seen->elements, absl::StrFormat("%g", 1 - staying), "");
}

std::unique_ptr<at::ObserverContext> OnOperator(const at::RecordFunction& function) {
  const std::string_view name = function.name();
  const auto inputs = function.inputs();
  if (name == "aten::native_batch_norm") {
    seen->batch_norms.push_back(
        {PlaceOf(inputs[1]),
         absl::StrFormat("%s momentum %g", Epsilon(inputs[7]), inputs[6].toDouble())});
  } else if (name == "aten::native_layer_norm") {
    seen->layer_norms.push_back({PlaceOf(inputs[2]), Epsilon(inputs[4])});
  } else if (name == "aten::native_group_norm") {
    seen->group_norms.push_back({PlaceOf(inputs[1]), Epsilon(inputs[7])});
  } else if (name == "aten::bernoulli_" && inputs[1].isDouble()) {
    SeeDraws(inputs[0].toTensor(), inputs[1].toDouble());
  }
  return nullptr;
}

Places PlacesOf(models::Model& model) {
  Places places;
  for (const models::NamedTensor& entry : model.State()) {
    places.try_emplace(entry.tensor.unsafeGetTensorImpl(), places.size(),
                       absl::StripSuffix(entry.name, ".weight"));
  }
  return places;
}

void AppendNorms(std::string_view kind, std::vector<Norm> norms, std::vector<std::string>& lines) {
  std::stable_sort(norms.begin(), norms.end(),
                   [](const Norm& a, const Norm& b) { return a.place.first < b.place.first; });
  std::vector<Run> runs;
  for (const Norm& norm : norms) Append(runs, norm.numbers, norm.place.second);
  for (const Run& run : runs) {
    lines.push_back(absl::StrFormat("norm %s %s x%d %s", kind, run.what, run.count, run.first));
    if (run.count > 1) absl::StrAppend(&lines.back(), " .. ", run.last);
  }
}

void AppendDrops(std::string_view of, const std::vector<Run>& runs,
                 std::vector<std::string>& lines) {
  if (runs.empty()) return;
  const auto text = [](std::string* out, const Run& run) {
    absl::StrAppend(out, run.what);
    if (run.count > 1) absl::StrAppend(out, " x", run.count);
  };
  lines.push_back(absl::StrCat("drops ", of, " ", absl::StrJoin(runs, ", ", text)));
}

}  // namespace

std::vector<std::string> TrainingLines(models::Model& model, at::ArrayRef<at::Tensor> inputs) {
  Seen all;
  all.places = PlacesOf(model);
  model.SetTraining(true);
  {
    const c10::InferenceMode guard;
    seen = &all;
    const costs::OperatorWatch watch(at::RecordFunctionCallback(OnOperator).needsInputs(true));
    model.Forward(inputs);
  }
  seen = nullptr;
  std::vector<std::string> lines;
  AppendNorms("batch_norm", all.batch_norms, lines);
  AppendNorms("layer_norm", all.layer_norms, lines);
  AppendNorms("group_norm", all.group_norms, lines);
  AppendDrops("elements", all.elements, lines);
  AppendDrops("rows", all.rows, lines);
  return lines;
}

}  // namespace assay::goldens

#include "tools/kernel/request/flashinfer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/operators/kernel/sizes_text.h"
#include "tools/kernel/report/verdicts.h"

namespace assay::kernel {
namespace {

using Json = nlohmann::ordered_json;

absl::Status Wrong(absl::string_view where, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat(where, ": ", problem));
}

const std::map<std::string, Dtype>& Dtypes() {
  static const auto& dtypes = *new std::map<std::string, Dtype>{
      {"float32", Dtype::FP32}, {"float16", Dtype::FP16}, {"bfloat16", Dtype::BF16},
      {"int64", Dtype::INT64},  {"int32", Dtype::INT32},  {"bool", Dtype::BOOL}};
  return dtypes;
}

bool IsFloat(Dtype dtype) {
  return dtype == Dtype::FP32 || dtype == Dtype::FP16 || dtype == Dtype::BF16;
}

// "batch" is a number of its own in dimensions.
std::string LetterOf(const std::string& axis) { return axis == "batch" ? "batch_axis" : axis; }

class DefinitionReading {
 public:
  explicit DefinitionReading(const Json& definition) : definition_(definition) {}

  absl::Status Read(FlashInferTask& task) {
    for (const char* const field : {"name", "op_type", "reference"}) {
      if (!definition_.contains(field) || !definition_[field].is_string() ||
          definition_[field].get<std::string>().empty())
        return Wrong(field, "a text is missing");
    }
    for (const char* const field : {"axes", "inputs", "outputs"}) {
      if (!definition_.contains(field) || !definition_[field].is_object() ||
          definition_[field].empty())
        return Wrong(field, "an object is missing");
    }
    task.definition = definition_["name"].get<std::string>();
    std::string name = task.definition;
    for (char& c : name) {
      if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    task.row.set_name(task.definition);
    task.row.mutable_call()->set_name("flashinfer::" + name);
    std::vector<std::string> arguments;
    for (const auto& [input, spec] : definition_["inputs"].items()) {
      const absl::StatusOr<Dtype> dtype = DtypeOf("inputs", input, spec);
      if (!dtype.ok()) return dtype.status();
      if (spec["shape"].is_null()) {
        arguments.push_back(absl::StrCat(IsFloat(*dtype)         ? "float "
                                         : *dtype == Dtype::BOOL ? "bool "
                                                                 : "int ",
                                         input));
        continue;
      }
      arguments.push_back("Tensor " + input);
      InputSpec& entry = *task.row.mutable_call()->add_inputs();
      entry.set_name(input);
      entry.set_dtype(*dtype);
      for (const Json& axis : spec["shape"]) entry.add_shape(Dimension(axis.get<std::string>()));
      if (IsFloat(*dtype)) {
        entry.mutable_distribution()->mutable_normal();
      } else {
        entry.mutable_distribution()->mutable_integers()->set_limit(2);  // its file has others
      }
    }
    std::vector<std::string> results;
    for (const auto& [output, spec] : definition_["outputs"].items()) {
      const absl::StatusOr<Dtype> dtype = DtypeOf("outputs", output, spec);
      if (!dtype.ok()) return dtype.status();
      if (IsFloat(*dtype) && !found_) task.dtype = *dtype, found_ = true;
      results.push_back("Tensor");
    }
    task.row.mutable_traced()->set_schema(
        absl::StrCat(task.row.call().name(), "(", absl::StrJoin(arguments, ", "), ") -> ",
                     results.size() == 1 ? results.front()
                                         : absl::StrCat("(", absl::StrJoin(results, ", "), ")")));
    return absl::OkStatus();
  }

  absl::Status AddWorkload(const Json& workload, FlashInferTask& task) {
    const std::string where = absl::StrCat("workload ", task.workloads.size());
    for (const char* const field : {"axes", "inputs"}) {
      if (!workload.contains(field) || !workload[field].is_object())
        return Wrong(where, absl::StrCat("'", field, "' is missing"));
    }
    if (!workload.contains("uuid") || !workload["uuid"].is_string() || workload["uuid"] == "")
      return Wrong(where, "'uuid' is missing: a text that names the workload");
    Sizes sizes;
    for (const auto& [axis, spec] : definition_["axes"].items()) {
      if (spec.contains("value")) continue;
      if (!workload["axes"].contains(axis) || !workload["axes"][axis].is_number_unsigned())
        return Wrong(where, absl::StrCat("axes: '", axis, "' has no number"));
      Size& size = *sizes.add_sizes();
      size.set_letter(LetterOf(axis));
      size.set_number(workload["axes"][axis].get<int64_t>());
    }
    // Workloads of the same axes differ by their files.
    for (const Sizes& other : task.row.sizes()) {
      if (SizesText(other) == SizesText(sizes)) {
        Size& size = *sizes.add_sizes();
        size.set_letter("workload");
        size.set_number(task.row.sizes_size());
        break;
      }
    }
    for (const auto& [input, source] : workload["inputs"].items()) {
      if (source.value("type", "") != "scalar") continue;
      ParameterValue value;
      if (source["value"].is_boolean())
        value.set_flag(source["value"].get<bool>());
      else if (source["value"].is_number_integer())
        value.set_integer(source["value"].get<int64_t>());
      else if (source["value"].is_number())
        value.set_real(source["value"].get<double>());
      else
        return Wrong(where, absl::StrCat("inputs: '", input, "' is no number"));
      ParameterValue& known = (*task.row.mutable_call()->mutable_arguments())[input];
      if (!task.workloads.empty() && known.SerializeAsString() != value.SerializeAsString())
        return Wrong(where, absl::StrCat("inputs: '", input,
                                         "' is another number than in the first workload; give "
                                         "them in files of their own"));
      known = value;
    }
    for (const auto& [input, spec] : definition_["inputs"].items()) {
      if (spec["shape"].is_null() && task.row.call().arguments().count(input) == 0)
        return Wrong(where, absl::StrCat("inputs: the scalar '", input, "' has no value"));
    }
    *task.row.add_sizes() = std::move(sizes);
    task.workloads.push_back(workload);
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<Dtype> DtypeOf(absl::string_view kind, const std::string& name,
                                const Json& spec) const {
    const std::string where = absl::StrCat(kind, ".", name);
    if (!spec.is_object() || !spec.contains("shape") || !spec.contains("dtype"))
      return Wrong(where, "it needs 'shape' and 'dtype'");
    const auto dtype = Dtypes().find(spec.value("dtype", ""));
    if (dtype == Dtypes().end())
      return Wrong(where, absl::StrCat("dtype '", spec.value("dtype", ""),
                                       "' is not checked on the CPU; float32, float16, bfloat16, "
                                       "int64, int32 and bool are"));
    if (spec["shape"].is_null()) return dtype->second;
    if (!spec["shape"].is_array()) return Wrong(where, "'shape' is no list of axes");
    for (const Json& axis : spec["shape"]) {
      if (!axis.is_string() || !definition_["axes"].contains(axis.get<std::string>()))
        return Wrong(where, absl::StrCat("axis ", axis.dump(), " is not in 'axes'"));
    }
    return dtype->second;
  }

  std::string Dimension(const std::string& axis) const {
    const Json& spec = definition_["axes"][axis];
    return spec.contains("value") ? spec["value"].dump() : LetterOf(axis);
  }

  const Json& definition_;
  bool found_ = false;
};

// JSON has no number for it: a text, as flashinfer-bench writes and reads it.
Json NumberOf(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

// The status of a solution that is not right.
std::string StatusOf(const KernelCandidate& candidate) {
  const std::string& kind = candidate.failure().kind();
  if (absl::StartsWith(candidate.reason(), "it does not compile")) return "COMPILE_ERROR";
  if (kind == "another shape") return "INCORRECT_SHAPE";
  if (kind == "another dtype") return "INCORRECT_DTYPE";
  if (kind == "hung") return "TIMEOUT";
  for (const char* const numerical :
       {"differs", "unwritten", "two equal calls differ", "wrong while it was timed"}) {
    if (kind == numerical) return "INCORRECT_NUMERICAL";
  }
  return "RUNTIME_ERROR";
}

Json EvaluationOf(const KernelCandidate& candidate, const KernelSize* size) {
  Json evaluation;
  const bool timed = size != nullptr && !size->hot().candidate_ns().empty();
  const bool right = candidate.verdict() == "RIGHT";
  evaluation["status"] = right ? "PASSED" : StatusOf(candidate);
  evaluation["log"] = right ? ""
                            : absl::StrCat(candidate.reason(), candidate.failure().where(), " ",
                                           candidate.failure().text());
  evaluation["correctness"] = nullptr;
  evaluation["performance"] = nullptr;
  if (right || evaluation["status"] == "INCORRECT_NUMERICAL")
    evaluation["correctness"] = {
        {"max_relative_error", NumberOf(size == nullptr ? 0 : size->max_relative_error())},
        {"max_absolute_error", NumberOf(size == nullptr ? 0 : size->max_absolute_error())},
        {"extra", nullptr}};
  if (right) {
    const double own = timed ? MedianOf(size->hot().candidate_ns()) / 1e6 : 0;
    const double reference = timed ? MedianOf(size->hot().aten_ns()) / 1e6 : 0;
    evaluation["performance"] = {{"latency_ms", own},
                                 {"reference_latency_ms", reference},
                                 {"speedup_factor", own > 0 ? reference / own : 0}};
  }
  return evaluation;
}

}  // namespace

absl::StatusOr<FlashInferTask> ReadFlashInfer(const std::string& definition,
                                              const std::string& workloads) {
  const Json json = Json::parse(definition, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Wrong("definition", "it is no JSON object");
  FlashInferTask task;
  DefinitionReading reading(json);
  if (absl::Status read = reading.Read(task); !read.ok()) return read;
  for (const absl::string_view text : absl::StrSplit(workloads, '\n', absl::SkipWhitespace())) {
    Json line = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
    if (!line.is_object())
      return Wrong(absl::StrCat("workload ", task.workloads.size()), "it is no JSON object");
    const Json workload = line.contains("workload") ? line["workload"] : line;
    if (absl::Status added = reading.AddWorkload(workload, task); !added.ok()) return added;
  }
  if (task.workloads.empty()) return Wrong("workloads", "there are none");
  return task;
}

absl::Status TraceReference(const ReferenceCommand& command, FlashInferTask& task,
                            const std::atomic<bool>* interrupted) {
  const absl::StatusOr<processes::ChildEnd> end = processes::RunChild(
      {.arguments = {command.python, command.script, command.definition, command.workloads,
                     command.folder, absl::StrCat(command.seed)}},
      interrupted);
  if (!end.ok()) return end.status();
  if (end->Exited(0)) {
    task.row.mutable_traced()->set_folder(command.folder);
    return absl::OkStatus();
  }
  if (end->Exited(3))
    return absl::InvalidArgumentError(absl::StrCat(
        command.definition, ": its reference: ", absl::StripAsciiWhitespace(end->errors)));
  return absl::FailedPreconditionError(absl::StrCat(
      command.python, " cannot run the reference of a definition: ",
      end->Exited(4)
          ? "it has no torch; pip install torch==2.11.0, or name another one with --python"
          : absl::StrCat(processes::Describe(*end), ": ", end->errors)));
}

std::string TracesOf(const FlashInferTask& task, const KernelReport& report,
                     const std::string& hardware, const std::string& timestamp) {
  std::string text;
  for (const KernelCandidate& candidate : report.candidates()) {
    for (size_t i = 0; i < task.workloads.size(); ++i) {
      // A wrong kernel is not asked for the sizes behind the first wrong one.
      const int place = std::min(static_cast<int>(i), candidate.sizes_size() - 1);
      Json evaluation = EvaluationOf(candidate, place < 0 ? nullptr : &candidate.sizes(place));
      evaluation["environment"] = {{"hardware", hardware},
                                   {"libs", {{"torch", candidate.torch_version()}}}};
      evaluation["timestamp"] = timestamp;
      const Json line = {{"definition", task.definition},
                         {"workload", task.workloads[i]},
                         {"solution", candidate.file()},
                         {"evaluation", evaluation}};
      absl::StrAppend(&text, line.dump(), "\n");
    }
  }
  return text;
}

}  // namespace assay::kernel

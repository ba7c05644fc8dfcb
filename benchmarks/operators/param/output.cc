#include "benchmarks/operators/param/output.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace assay::param {
namespace {

constexpr double kNsPerMs = 1e6, kBytesPerMb = 1 << 20;

// As Python's isoformat(timespec="seconds").
std::string IsoTime(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%S", time, absl::LocalTimeZone());
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

std::string HostName() {
  std::array<char, HOST_NAME_MAX + 1> name = {};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Json Milliseconds(const std::vector<double>& times_ns) {
  Json times = Json::array();
  for (const double ns : times_ns) times.push_back(ns / kNsPerMs);
  return times;
}

// PARAM writes a 0 for each iteration on the CPU in the mode discrete, and nothing in the others.
Json Megabytes(const std::vector<int64_t>& peaks, size_t iterations, bool zeros) {
  Json memory = Json::array();
  for (const int64_t bytes : peaks) memory.push_back(static_cast<double>(bytes) / kBytesPerMb);
  for (size_t i = 0; zeros && i < iterations; ++i) memory.push_back(0);
  return memory;
}

Json PassMetric(const sampling::PassResult& pass, bool zeros) {
  return {
      {"warmup.time", Milliseconds(pass.warmup_ns)},
      {"warmup.gpu.memory", Megabytes(pass.warmup_peak_device_bytes, pass.warmup_ns.size(), zeros)},
      {"measure.time", Milliseconds(pass.measured_ns)},
      {"measure.gpu.memory", Megabytes(pass.peak_device_bytes, pass.measured_ns.size(), zeros)}};
}

Json OptionsOf(const Settings& settings) {
  Json arguments = Json::array();
  for (const std::string& word : settings.as_given) arguments.push_back(word);
  return {{"device", settings.device},
          {"pass_type", settings.backward ? "backward" : "forward"},
          {"warmup", settings.warmup},
          {"iteration", settings.iteration},
          {"op_exec_mode", settings.exec_mode},
          {"cuda_l2_cache", settings.cuda_l2_cache == "on"},
          {"time_unit", "millisecond"},
          {"out_file_prefix", settings.output_prefix},
          {"out_stream", nullptr},
          {"run_ncu", settings.ncu.asked},
          {"ncu_bin", settings.ncu.program},
          {"ncu_args", settings.ncu.arguments},
          {"ncu_warmup", settings.ncu.warmup},
          {"ncu_iteration", settings.ncu.iteration},
          {"run_nsys", settings.nsys.asked},
          {"nsys_bin", settings.nsys.program},
          {"nsys_args", settings.nsys.arguments},
          {"nsys_warmup", settings.nsys.warmup},
          {"nsys_iteration", settings.nsys.iteration},
          {"run_batch_size", settings.run_batch_size},
          {"batch_cuda_device", settings.batch_cuda_device},
          {"batch_cmd", nullptr},  // there is no Python
          {"resume_op_run_id", TextOrNull(settings.selection.resume)},
          {"stop_op_run_id", TextOrNull(settings.selection.stop)},
          {"threads", settings.threads},
          {"seed", settings.seed},
          {"config", settings.config},
          {"cmd_args", std::move(arguments)}};
}

Json SysInfo(const SystemInfo& system) {
  std::error_code none;
  Json info = {{"hostname", HostName()},
               {"pid", getpid()},
               {"cwd", std::filesystem::current_path(none).string()},
               {"python_version", nullptr},  // there is no Python
               {"param_train_compute_version", nullptr},
               {"assay_param_version", kVersion},
               {"cuda_available", system.cuda}};
  if (system.cuda) {
    info.update({{"cuda", TextOrNull(system.cuda_version)},
                 {"cuda_device_driver", TextOrNull(system.cuda_driver)},
                 {"cuda_gencode", nullptr},
                 {"cuda_device_id", 0},
                 {"cuda_device_name", TextOrNull(system.gpu_name)},
                 {"cuda_device_property", {{"compute_capability", system.compute_capability}}},
                 {"cudnn", TextOrNull(system.cudnn_version)},
                 {"cudnn_enabled", !system.cudnn_version.empty()}});
  }
  info.update({{"pytorch_version", TextOrNull(system.torch_version)},
               {"pytorch_debug_build", false},
               {"pytorch_build_config", TextOrNull(system.torch_build)}});
  return info;
}

Json VerdictValue(const Verdict& verdict) {
  Json value = {{"outcome", Outcome_Name(verdict.outcome())}};
  double error = 0;
  bool gradients = false;
  for (const OutputVerdict& output : verdict.outputs()) {
    error = std::max(error, output.max_error());
    gradients |= output.name() != "forward";
  }
  if (verdict.outcome() != NOT_VERIFIED) {
    value["largest_error"] = error;
    value["gradients"] = gradients;
  }
  if (!verdict.message().empty()) value["message"] = verdict.message();
  return value;
}

}  // namespace

Json HeaderLine(const Settings& settings, const SystemInfo& system, absl::Time start) {
  return {{"run_options", OptionsOf(settings)},
          {"sys_info", SysInfo(system)},
          {"start_time", IsoTime(start)}};
}

Json ItemLine(const RunItem& item) {
  return {{"op_name", item.entry->name},
          {"id", item.id},
          {"config", {{"build", item.build.value_or(Json())}, {"input", item.input}}}};
}

Json ResultLine(const RunItem& item, const sampling::PresetResult& result, const ResultFacts& facts,
                const Settings& settings) {
  const bool zeros = facts.host && settings.exec_mode == "discrete";
  Json metric = Json::object();
  if (settings.iteration > 0) metric["forward"] = PassMetric(result.forward, zeros);
  if (settings.iteration > 0 && settings.backward)
    metric["backward"] = PassMetric(result.backward, zeros);
  Json line = {{"op_name", item.entry->name},
               {"id", item.id},
               {"metric", std::move(metric)},
               {"config", {{"build", item.build.value_or(Json())}, {"input", item.input}}}};
  if (facts.verdict != nullptr) line["verdict"] = VerdictValue(*facts.verdict);
  if (!facts.note.empty()) line["note"] = facts.note;
  return line;
}

Json ErrorLine(const Json& item_line, const std::string& error_class, const std::string& message) {
  Json line = item_line;
  line["metric"] = Json::object();
  line["error"] = {{"class", error_class}, {"message", message}};
  return line;
}

Json TraceLine(const RunItem& item, const std::string& path) {
  return {{"trace_file", path}, {"op_name", item.entry->name}, {"id", item.id}};
}

std::string TracePath(const std::string& output, const std::string& run_id) {
  std::string name = run_id;
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_') c = '-';
  }
  return absl::StrCat(absl::StripSuffix(output, ".json"), "_trace/", name, ".json");
}

Json ToolLine(const BatchLine& batch) {
  return {{batch.tool + "_file", batch.file},
          {"cmd_str", batch.command},
          {"config", batch.config},
          {"start_run_id", batch.start_run_id},
          {"end_run_id", batch.end_run_id}};
}

Json FinishLine(absl::Time finish) { return {{"finish_time", IsoTime(finish)}}; }

std::string LineText(const Json& line) {
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace assay::param

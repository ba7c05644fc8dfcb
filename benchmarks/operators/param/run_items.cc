#include "benchmarks/operators/param/run_items.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/error_class.h"

namespace assay::param {
namespace {

absl::Status InvalidConfig(absl::Status status) {
  return Classed("INVALID_CONFIG", std::move(status));
}

absl::Status Empty(std::string_view list) {
  return absl::InvalidArgumentError(
      absl::StrCat("the list \"", list, "\" is empty or missing: nothing to measure"));
}

}  // namespace

Elements RunItems::ElementsOf(const std::vector<Span>& spans) const {
  return {static_cast<int64_t>(spans.size()),
          [this, &spans](int64_t i) { return file_.Read(spans[static_cast<size_t>(i)]); }};
}

RunItem RunItems::Item(const std::string& build_id, const std::string& input_id) const {
  const OperatorEntry& entry = file_.operators()[operator_];
  RunItem item = {.entry = &entry};
  item.build_id = entry.config_build_id.value_or(absl::StrCat(config_, "|", build_id));
  item.id = absl::StrCat(item.build_id, "|", input_id);
  item.build = build_;
  return item;
}

RunItem RunItems::ProblemItem(const std::string& build_id, const std::string& input_id,
                              absl::Status problem) const {
  RunItem item = Item(build_id, input_id);
  item.problem = InvalidConfig(std::move(problem));
  return item;
}

// Opens config_; returns an item with the error if that fails.
std::optional<RunItem> RunItems::BeginConfig() {
  const OperatorEntry& entry = file_.operators()[operator_];
  const ConfigEntry& config = entry.configs[config_];
  build_.reset();
  if (!config.input) {
    return ProblemItem("0", "0", Empty("input"));
  }
  config_open_ = true;
  if (!config.build || config.build->empty()) {
    if (config.build) build_ = Json::array();
    build_id_ = std::string("0");
    return OpenInputs();
  }
  auto builds = MakeConfigIterator(entry.build_iterator, ElementsOf(*config.build), nullptr);
  if (!builds.ok()) {
    config_open_ = false;
    return ProblemItem("0", "0", Classed("UNKNOWN_ITERATOR", builds.status()));
  }
  builds_ = *std::move(builds);
  return std::nullopt;
}

std::optional<RunItem> RunItems::OpenInputs() {
  const OperatorEntry& entry = file_.operators()[operator_];
  auto inputs = MakeConfigIterator(entry.input_iterator, ElementsOf(*entry.configs[config_].input),
                                   build_ ? &*build_ : nullptr);
  if (!inputs.ok())
    return ProblemItem(build_id_, "0", Classed("UNKNOWN_ITERATOR", inputs.status()));
  inputs_ = *std::move(inputs);
  no_input_yet_ = true;
  return std::nullopt;
}

std::optional<RunItem> RunItems::NextOfAll() {
  for (; operator_ < file_.operators().size(); ++operator_, config_ = 0) {
    const OperatorEntry& entry = file_.operators()[operator_];
    if (!entry.problem.empty() && config_ == 0) {
      RunItem item = {.entry = &entry, .id = "0|0|0"};
      item.problem = InvalidConfig(absl::InvalidArgumentError(entry.problem));
      ++operator_;
      return item;
    }
    if (entry.configs.empty()) {
      RunItem item = {.entry = &entry, .id = "0|0|0"};
      item.problem = InvalidConfig(Empty("config"));
      ++operator_;
      return item;
    }
    for (; config_ < entry.configs.size(); ++config_) {
      if (!config_open_) {
        if (std::optional<RunItem> problem = BeginConfig()) {
          if (!config_open_) ++config_;
          return problem;
        }
      }
      while (true) {
        if (inputs_ != nullptr) {
          if (std::optional<NextConfig> next = inputs_->Next()) {
            no_input_yet_ = false;
            return ItemOf(*std::move(next));
          }
          inputs_ = nullptr;
          if (no_input_yet_) return ProblemItem(build_id_, "0", Empty("input"));
        }
        std::optional<NextConfig> build = builds_ == nullptr ? std::nullopt : builds_->Next();
        if (!build) break;
        build_id_ = build->id;
        build_.reset();
        if (!build->config.ok()) return ProblemItem(build_id_, "0", build->config.status());
        build_ = *std::move(build->config);
        if (std::optional<RunItem> problem = OpenInputs()) return problem;
      }
      builds_ = nullptr;
      config_open_ = false;
    }
  }
  return std::nullopt;
}

RunItem RunItems::ItemOf(NextConfig next) const {
  if (!next.config.ok()) return ProblemItem(build_id_, next.id, next.config.status());
  // The inputs of run_batch keep the ids of the run that they were taken from.
  if (file_.operators()[operator_].config_build_id && next.config->contains("id")) {
    const Json& id = (*next.config)["id"];
    next.id = id.is_string() ? id.get<std::string>() : id.dump();
  }
  RunItem item = Item(build_id_, next.id);
  item.input = *std::move(next.config);
  return item;
}

std::optional<RunItem> RunItems::Next() {
  while (!stopped_) {
    std::optional<RunItem> item = NextOfAll();
    if (!item) return std::nullopt;
    const std::string id = item->RunId();
    stopped_ = id == selection_.stop;
    running_ = running_ || id == selection_.resume;
    if (running_ && !stopped_) return item;
  }
  return std::nullopt;
}

absl::Status RunItems::Missed() const {
  const auto missed = [](const char* flag, const std::string& id) {
    return Classed("UNKNOWN_ID",
                   absl::NotFoundError(absl::StrCat(
                       flag, " ", base::Quoted(id),
                       ": the file has no such id, or has it before the one to begin with; ids are "
                       "operator|config|build|input, and -w 0 -i 0 lists them")));
  };
  if (!running_) return missed("--resume-id", selection_.resume);
  if (!stopped_ && !selection_.stop.empty()) return missed("--stop-id", selection_.stop);
  return absl::OkStatus();
}

}  // namespace assay::param

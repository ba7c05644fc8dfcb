#include "tools/suite/plan/plan.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/configuration/case_configuration.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/text/message_bytes.h"
#include "defs/case/case_steps.h"
#include "defs/case/program_kinds.h"
#include "defs/compiler/case_registry.h"

namespace assay::suite {

using configuration::CallFlags;
using configuration::Comparison;
using configuration::FlagSpec;
using configuration::FlagUse;
using configuration::FlagValues;

namespace {

constexpr double kMostCombinations = 1e6;

constexpr char kSearch[] = "search";

// A case to run, at its own batch or at another one.
struct Target {
  const ResolvedCase* resolved = nullptr;
  std::optional<std::string> batch = {};  // a number, or kSearch
};

// "eval", "train", "generate": as in --test.
std::string TestText(CaseMode test) { return absl::AsciiStrToLower(CaseMode_Name(test)); }

// A key that is equal for all batches of a case.
std::string GroupOf(const BenchmarkCase& c) {
  BenchmarkCase group = c;
  group.clear_name();
  group.clear_label();
  group.clear_batch();
  group.clear_tags();
  group.clear_skips();
  group.clear_nondeterministic();
  group.clear_verify();
  return absl::StrCat(c.label().substr(0, c.label().find(':')), base::MessageBytes(group));
}

// Flags with their values; each flag is a factor of the product.
using Axes = std::vector<std::pair<std::string, const std::vector<std::string>*>>;

double SizeOf(const Axes& axes) {
  double size = 1;
  for (const auto& [name, values] : axes) size *= static_cast<double>(values->size());
  return size;
}

// One value of each flag, in every combination; the last flag varies fastest.
std::vector<FlagValues> ProductOf(const Axes& axes) {
  std::vector<FlagValues> product = {{}};
  for (const auto& [name, values] : axes) {
    std::vector<FlagValues> longer;
    for (const FlagValues& one : product) {
      for (const std::string& value : *values) {
        longer.push_back(one);
        longer.back()[name] = value;
      }
    }
    product = std::move(longer);
  }
  return product;
}

// Whether the case has this value anyway, so that the flag would only give it a second name.
bool HasAnyway(const BenchmarkCase& c, const std::string& name, const std::string& value) {
  const FlagSpec& flag = *configuration::FindFlag(name);
  if (!flag.default_is_known) return false;
  return value == (flag.of_case != nullptr ? flag.of_case(c) : flag.fallback);
}

bool HasImages(const Workload& measured) {
  return absl::c_any_of(measured.inputs(),
                        [](const TensorSpec& input) { return input.shape_size() == 4; });
}

bool Has(const FlagValues& values, const std::string& name, std::string_view value) {
  const auto found = values.find(name);
  return found != values.end() && found->second == value;
}

bool HasWord(const FlagValues& values, const std::string& name, std::string_view word) {
  const auto found = values.find(name);
  if (found == values.end()) return false;
  const std::vector<std::string_view> words = absl::StrSplit(found->second, ',');
  return absl::c_linear_search(words, word);
}

// The reason why the case does not have a step or the device a mode; empty if they have all.
std::string StepProblem(const ResolvedCase& resolved, DeviceType device,
                        const FlagValues& measured) {
  if (const auto steps = measured.find("steps"); steps != measured.end()) {
    for (const std::string_view step : absl::StrSplit(steps->second, ',')) {
      const absl::Status found = FindStep(resolved, step, device).status();
      if (!found.ok()) return absl::StrCat("--steps=", step, ": ", found.message());
    }
  }
  for (const char* mode : {"graph", "enqueue"}) {
    if (device == CPU && HasWord(measured, "modes", mode)) {
      return absl::StrCat("--modes=", mode, " needs a device with a queue, and the CPU has none");
    }
  }
  return "";
}

class Planner {
 public:
  Planner(const PlanRequest& request, const Registry& registry)
      : request_(request), registry_(registry) {
    for (const FlagSpec* flag : configuration::CaseFlags()) {
      const auto given = request.flags.find(flag->name);
      if (given == request.flags.end()) continue;
      (flag->use == FlagUse::kCall ? call_axes_ : measuring_axes_)
          .emplace_back(flag->name, &given->second);
    }
  }

  absl::StatusOr<Plan> Make() {
    if (absl::Status together = CheckSearch(); !together.ok()) return together;
    Selection selection = request_.selection;
    selection.every_batch = !request_.batches.empty() || request_.search_batch;
    const absl::StatusOr<std::vector<ChosenCase>> chosen =
        SelectCases(registry_, selection, request_.others);
    if (!chosen.ok()) return chosen.status();
    absl::StatusOr<std::vector<std::string>> absent = AbsentModels(selection, request_.others);
    if (!absent.ok()) return absent.status();
    plan_.remarks = *std::move(absent);
    if (!selection.suite.empty()) {
      absl::StatusOr<std::string> summary =
          SuiteSummary(registry_, request_.others, selection.suite);
      if (!summary.ok()) return summary.status();
      plan_.remarks.insert(plan_.remarks.begin(), *std::move(summary));
    }
    const std::vector<Target> targets = Batches(DtypesAndTests(*chosen));
    double combinations = static_cast<double>(std::max<size_t>(targets.size(), 1)) *
                          SizeOf(call_axes_) * SizeOf(measuring_axes_);
    for (const auto& [backend, flags] : request_.backend_flags) {
      for (const auto& [name, values] : flags) combinations *= static_cast<double>(values.size());
    }
    if (combinations > kMostCombinations) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the product of ", targets.size(), " cases with the values of the flags has ",
          combinations, " combinations; at most ", kMostCombinations));
    }
    calls_ = ProductOf(call_axes_);
    measurings_ = ProductOf(measuring_axes_);
    for (const Target& target : targets) AddCase(target);
    if (plan_.configurations.empty()) return NothingLeft(chosen->size());
    plan_.in_all_shards = static_cast<int64_t>(plan_.configurations.size());
    auto& all = plan_.configurations;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const PlannedRun& c) { return !request_.shard.Has(c); }),
              all.end());
    return std::move(plan_);
  }

 private:
  // A search looks for the largest batch that fits, and a smoke test says nothing about that.
  absl::Status CheckSearch() const {
    base::GivenFlags given;
    if (request_.search_batch) given["batch"] = kSearch;
    if (const auto actions = request_.flags.find("action"); actions != request_.flags.end()) {
      given["action"] = absl::StrJoin(actions->second, ",");
    }
    static const auto& rules = *new std::vector<base::FlagRule>{
        {.flags = {"batch=search"},
         .excludes = {"action=smoke"},
         .why =
             "not with $: a smoke test runs the model made small, at a batch of its own, so that "
             "every batch fits; leave --action out, or say --action=verify"}};
    return base::CheckFlagRules(rules, given);
  }

  void Drop(const std::string& reason, int64_t count = 1) { plan_.dropped[reason] += count; }

  bool Wanted(Dtype dtype) {
    return request_.dtypes.empty() || absl::c_linear_search(request_.dtypes, dtype);
  }

  bool Wanted(const ChosenCase& chosen, const ProgramKind& kind) {
    if (!request_.tests.empty()) return absl::c_linear_search(request_.tests, kind.mode);
    return kind.chosen_unasked || chosen.by_name;
  }

  // The chosen cases with the dtypes and tests that were asked for. Counts what a model has no case
  // of as dropped.
  std::vector<const ResolvedCase*> DtypesAndTests(const std::vector<ChosenCase>& chosen) {
    std::vector<const ResolvedCase*> wanted;
    std::map<std::string, std::set<std::pair<Dtype, CaseMode>>> there;  // by model
    std::map<const ProgramKind*, int64_t> left_out;
    for (const ChosenCase& c : chosen) {
      const BenchmarkCase& b = c.resolved->benchmark_case();
      const ProgramKind& kind = KindOf(b);
      auto& of_model = there[ModelNameOf(*c.resolved)];
      if (!Wanted(b.dtype())) continue;
      if (Wanted(c, kind)) {
        wanted.push_back(c.resolved);
        of_model.emplace(b.dtype(), kind.mode);
      } else if (request_.tests.empty()) {
        ++left_out[&kind];
      }
    }
    for (const auto& [kind, count] : left_out) {
      plan_.remarks.push_back(
          absl::StrCat(kind->noun, " cases left out: ", count, "; --test=", TestText(kind->mode),
                       " runs only these, --test=eval --test=", TestText(kind->mode), " both"));
    }
    for (const auto& [model, combinations] : there) DropMissing(combinations);
    return wanted;
  }

  void DropMissing(const std::set<std::pair<Dtype, CaseMode>>& there) {
    const std::vector<Dtype> any_dtype = {DTYPE_UNSPECIFIED};
    const std::vector<CaseMode> evaluating = {EVAL};
    for (const Dtype dtype : request_.dtypes.empty() ? any_dtype : request_.dtypes) {
      for (const CaseMode test : request_.tests.empty() ? evaluating : request_.tests) {
        const bool found = absl::c_any_of(there, [&](const std::pair<Dtype, CaseMode>& one) {
          return (dtype == DTYPE_UNSPECIFIED || one.first == dtype) &&
                 (one.second == test || request_.tests.empty());
        });
        if (found) continue;
        Drop(absl::StrCat("the model has no selected ",
                          dtype == DTYPE_UNSPECIFIED ? "" : configuration::DtypeText(dtype) + " ",
                          TestText(test), " case"));
      }
    }
  }

  // For each batch the registry's case, else the nearest one of the same shape.
  std::vector<Target> Batches(const std::vector<const ResolvedCase*>& wanted) {
    std::vector<Target> targets;
    if (request_.batches.empty() && !request_.search_batch) {
      for (const ResolvedCase* c : wanted) targets.push_back({.resolved = c});
      return targets;
    }
    std::map<std::string, std::map<int64_t, const ResolvedCase*>> all, chosen;
    for (const ResolvedCase& c : registry_.cases()) {
      all[GroupOf(c.benchmark_case())].emplace(c.benchmark_case().batch(), &c);
    }
    std::vector<std::string> order;
    for (const ResolvedCase* c : wanted) {
      const std::string group = GroupOf(c->benchmark_case());
      auto& of_group = chosen[group];
      if (of_group.empty()) order.push_back(group);
      of_group.emplace(c->benchmark_case().batch(), c);
    }
    for (const std::string& group : order) {
      for (const int64_t batch : request_.batches) {
        const auto& mine = chosen[group];
        if (const auto found = mine.find(batch); found != mine.end()) {
          targets.push_back({.resolved = found->second});
        } else if (all[group].count(batch) > 0) {
          Drop("the registry's case of that batch is not among the selected ones");
        } else {
          const auto above = mine.lower_bound(batch);
          const auto& nearest = above == mine.begin() ? *above : *std::prev(above);
          targets.push_back({.resolved = nearest.second, .batch = absl::StrCat(batch)});
        }
      }
      // Begins with the smallest batch: it fits if any does.
      if (request_.search_batch) {
        targets.push_back({.resolved = chosen[group].begin()->second, .batch = kSearch});
      }
    }
    return targets;
  }

  void AddCase(const Target& target) {
    ResolvedCase joined = *target.resolved;
    if (!JoinCase(registry_, &joined)) {
      Drop("the registry has no model or implementation for the case",
           static_cast<int64_t>(calls_.size() * measurings_.size()));
      return;
    }
    const std::vector<const KnownSkip*> skips =
        request_.skip_known ? request_.known_skips.Fitting(joined.benchmark_case())
                            : std::vector<const KnownSkip*>{};
    const bool images = HasImages(joined.measured());
    for (FlagValues call : calls_) {
      if (target.batch) call["batch"] = *target.batch;
      if (!images && Has(call, "memory-format", "channels_last")) {
        Drop("--memory-format=channels_last: no input of the case has four dimensions",
             static_cast<int64_t>(measurings_.size()));
        continue;
      }
      for (const FlagValues& own : OfBackend(joined.benchmark_case(), call))
        AddCalls(joined, call, own, skips);
    }
  }

  // The values of the flags of the call's back end, in every combination.
  std::vector<FlagValues> OfBackend(const BenchmarkCase& c, const FlagValues& call) const {
    const auto given = call.find("backend");
    const auto flags =
        request_.backend_flags.find(given != call.end() ? given->second : c.execution().backend());
    Axes axes;
    if (flags != request_.backend_flags.end()) {
      for (const auto& [name, values] : flags->second) axes.emplace_back(name, &values);
    }
    return ProductOf(axes);
  }

  // Adds all ways to measure a case that is called in one way; `own` are flags of its back end.
  void AddCalls(const ResolvedCase& joined, const FlagValues& call, const FlagValues& own,
                absl::Span<const KnownSkip* const> skips) {
    const BenchmarkCase& b = joined.benchmark_case();
    FlagValues differing;
    for (const auto& [name, value] : call) {
      if (!HasAnyway(b, name, value)) differing[name] = value;
    }
    const bool searched = Has(call, "batch", kSearch);
    FlagValues called_with = differing;
    if (searched) called_with.erase("batch");  // the search finds it later
    const CallFlags flags = configuration::CallFlagsOf(called_with);
    std::map<std::pair<Comparison, DeviceType>, absl::StatusOr<ResolvedCase>> called;
    for (const FlagValues& measured : measurings_) {
      const Comparison comparison = configuration::ComparisonOf(measured);
      const std::pair as = {comparison, DeviceOf(measured)};
      auto found = called.find(as);
      if (found == called.end()) {
        found =
            called.emplace(as, configuration::WithCallFlags(joined, flags, comparison, as.second))
                .first;
      }
      if (!found->second.ok()) {
        Drop(absl::StrReplaceAll(found->second.status().message(), {{b.name(), "the case"}}));
        continue;
      }
      if (searched && KindOf(b).depends_on_every_row && comparison != Comparison::kNone) {
        Drop("--batch=search: the reference of a training step is of its own batch; --verify=off");
        continue;
      }
      FlagValues values = differing;
      for (const auto& [name, value] : measured) {
        if (!HasAnyway(b, name, value)) values[name] = value;
      }
      const ResolvedCase& c = *found->second;
      Add(joined,
          absl::StrCat(configuration::ConfigurationOf(c, measured, own).digest(),
                       base::MessageBytes(c.benchmark_case().verify()), searched ? kSearch : ""),
          values, measured, own, skips);
    }
  }

  DeviceType DeviceOf(const FlagValues& measured) const {
    return Has(measured, "device", "cuda")  ? CUDA
           : Has(measured, "device", "cpu") ? CPU
                                            : request_.default_device;
  }

  void Add(const ResolvedCase& joined, const std::string& identity, const FlagValues& values,
           const FlagValues& measured, const FlagValues& own,
           absl::Span<const KnownSkip* const> skips) {
    const BenchmarkCase& b = joined.benchmark_case();
    const DeviceType device = DeviceOf(measured);
    if (const std::string problem = StepProblem(joined, device, measured); !problem.empty()) {
      return Drop(problem);
    }
    if (const absl::Status together = configuration::CheckFlags(values); !together.ok()) {
      return Drop(std::string(together.message()));
    }
    PlannedRun c;
    c.label = b.label();
    c.case_name = b.name();
    c.flags = configuration::FlagWords(values);
    for (const auto& [name, value] : own) c.flags.push_back(absl::StrCat("--", name, "=", value));
    c.name = c.case_name;
    for (const std::string& flag : c.flags) absl::StrAppend(&c.name, " ", flag);
    c.skip_reason = KnownSkipTable::ReasonFor(skips, device, c.flags);
    for (const Skip& skip : b.skips()) {
      if (skip.device() == device) c.skip_reason = skip.reason();
    }
    c.benchmark_case = b;
    FlagValues looked;  // what the configuration does not say
    for (const auto& [name, value] : measured) {
      if (values.count(name) > 0 && !configuration::FindFlag(name)->in_configuration()) {
        looked[name] = value;
      }
    }
    const auto [known, is_new] = known_.emplace(
        absl::StrCat(identity, absl::StrJoin(configuration::FlagWords(looked), "\n")),
        plan_.configurations.size());
    if (is_new) {
      plan_.configurations.push_back(std::move(c));
      return;
    }
    Drop("another case, or the same one, is already called so");
    PlannedRun& first = plan_.configurations[known->second];
    if (c.flags.size() < first.flags.size()) first = std::move(c);  // the registry's own case
  }

  absl::Status NothingLeft(size_t selected) const {
    std::string text = absl::StrCat("nothing is left to run of ", selected, " selected cases");
    for (const auto& [reason, count] : plan_.dropped) {
      absl::StrAppend(&text, "\n  ", count, " dropped: ", reason);
    }
    for (const std::string& remark : plan_.remarks) absl::StrAppend(&text, "\n  ", remark);
    return absl::NotFoundError(text);
  }

  const PlanRequest& request_;
  const Registry& registry_;
  Axes call_axes_, measuring_axes_;
  std::vector<FlagValues> calls_, measurings_;  // their products
  std::map<std::string, size_t> known_;         // identity -> index of the configuration
  Plan plan_;
};

}  // namespace

absl::StatusOr<Plan> MakePlan(const PlanRequest& request, const Registry& registry) {
  return Planner(request, registry).Make();
}

}  // namespace assay::suite

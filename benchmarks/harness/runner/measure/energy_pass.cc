#include "benchmarks/harness/runner/measure/energy_pass.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"

namespace assay::runner {
namespace {

constexpr int64_t kPassNs = 100'000'000;  // the device is waited for so often
constexpr double kMostWatts = 1000;       // of a processor

std::string Line(const std::string& step, const std::string& text) {
  return absl::StrFormat("%-10s%-11s%s\n", "energy", step, text);
}

std::string StepText(const Measurement& m) {
  const Energy& energy = m.energy();
  std::vector<std::string> parts;
  for (const EnergyDomain& domain : energy.domains()) {
    parts.push_back(absl::StrFormat("%s %.3g W%s", domain.name(), domain.watts(),
                                    domain.in_sum() ? "" : " (in no sum)"));
  }
  std::string text = absl::StrFormat("%.3g J a call", energy.joules_per_call());
  if (m.units_per_call() > 0) {
    absl::StrAppendFormat(&text, ", %.3g J/%s", energy.joules_per_call() / m.units_per_call(),
                          m.unit());
  }
  return absl::StrFormat("%s; %.3g W during %d calls in %.1f s, idle %.3g W; %s", text,
                         energy.watts(), energy.calls(), energy.window_s(), energy.idle_watts(),
                         absl::StrJoin(parts, ", "));
}

}  // namespace

std::string EnergyMeter::Missing() const { return absl::StrJoin(missing_, ". "); }

EnergyMeter::Counts EnergyMeter::Read() const {
  Counts counts;
  for (const environment::EnergyCounter& counter : counters_) counts.push_back(counter.read());
  return counts;
}

template <typename Pass>
absl::StatusOr<EnergyMeter::Window> EnergyMeter::Watch(Pass pass) {
  Window window;
  const int64_t start_ns = device_.NowNs();
  const Counts before = Read();
  while (window.seconds < absl::ToDoubleSeconds(kEnergyWindow)) {
    if (interrupted_ != nullptr && *interrupted_) return absl::CancelledError("interrupted");
    if (const absl::Status passed = pass(); !passed.ok()) return passed;
    window.seconds = 1e-9 * static_cast<double>(device_.NowNs() - start_ns);
  }
  const Counts after = Read();
  for (size_t i = 0; i < counters_.size(); ++i) {
    const environment::EnergyCounter& counter = counters_[i];
    if (!before[i] || !after[i])
      return absl::FailedPreconditionError(absl::StrCat(counter.name, " is no longer read"));
    const double range_j = static_cast<double>(counter.range) * counter.joules_per_count;
    if (counter.range > 0 && range_j < kMostWatts * window.seconds) {
      return absl::FailedPreconditionError(
          absl::StrFormat("%s counts %.3g J and then begins at 0 again, in a window of %.3g s "
                          "perhaps more than once",
                          counter.name, range_j, window.seconds));
    }
    window.joules.push_back(environment::JoulesBetween(counter, *before[i], *after[i]));
  }
  return window;
}

absl::Status EnergyMeter::MeasureIdle() {
  const absl::StatusOr<Window> window = Watch([this] {
    device_.IdleNs(kPassNs);
    return absl::OkStatus();
  });
  if (!window.ok()) return window.status();
  std::vector<environment::EnergyCounter> counters = std::exchange(counters_, {});
  for (size_t i = 0; i < counters.size(); ++i) {
    if (window->joules[i] > 0) {
      idle_watts_.push_back(window->joules[i] / window->seconds);
      counters_.push_back(std::move(counters[i]));
    } else {
      missing_.push_back(absl::StrCat(counters[i].name, " stands still"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Energy> EnergyMeter::Measure(sampling::TimedWork& work, double call_ns) {
  const auto calls_in_pass =
      static_cast<int64_t>(std::max(1.0, static_cast<double>(kPassNs) / std::max(call_ns, 1.0)));
  Energy energy;
  const absl::StatusOr<Window> window = Watch([&] {
    for (int64_t call = 0; call < calls_in_pass; ++call) work.Call();
    energy.set_calls(energy.calls() + calls_in_pass);
    return device_.Synchronize();
  });
  if (!window.ok()) return window.status();
  energy.set_window_s(window->seconds);
  double joules = 0, idle_watts = 0;
  for (size_t i = 0; i < counters_.size(); ++i) {
    EnergyDomain& domain = *energy.add_domains();
    domain.set_name(counters_[i].name);
    domain.set_watts(window->joules[i] / window->seconds);
    domain.set_idle_watts(idle_watts_[i]);
    domain.set_in_sum(counters_[i].in_sum);
    if (!counters_[i].in_sum) continue;
    joules += window->joules[i];
    idle_watts += idle_watts_[i];
  }
  // A platform alone is no sum of parts.
  if (joules <= 0) return absl::FailedPreconditionError("no processor, memory or GPU was counted");
  energy.set_joules_per_call(joules / static_cast<double>(energy.calls()));
  energy.set_watts(joules / window->seconds);
  energy.set_idle_watts(idle_watts);
  return energy;
}

absl::Status EnergyMeter::MeasureSteps(
    const google::protobuf::RepeatedPtrField<Measurement>& measurements, WorkOf work_of,
    Keep keep) {
  if (counters_.empty()) return absl::OkStatus();
  if (const absl::Status idle = MeasureIdle(); !idle.ok()) {
    if (!absl::IsFailedPrecondition(idle)) return idle;
    missing_.emplace_back(idle.message());
    return absl::OkStatus();
  }
  std::map<std::string, double> steps;
  for (const Measurement& m : measurements) {
    if (!m.samples_ns().empty()) steps.emplace(m.step(), m.median_ns());
  }
  for (const auto& [name, call_ns] : steps) {
    if (counters_.empty()) break;
    const absl::StatusOr<sampling::TimedWork*> work = work_of(name);
    if (!work.ok()) return work.status();
    if ((*work)->HasPreparation()) {
      missing_.push_back(absl::StrCat(
          name, ": each call needs another one before it, which would be counted, too"));
      continue;
    }
    absl::StatusOr<Energy> energy;
    const absl::Status called = base::CatchTorch(absl::StrCat("counting the energy of step ", name),
                                                 [&] { energy = Measure(**work, call_ns); });
    if (!called.ok()) return called;
    if (energy.ok()) {
      keep(name, *energy);
    } else if (absl::IsFailedPrecondition(energy.status())) {
      missing_.push_back(absl::StrCat(name, ": ", energy.status().message()));
    } else {
      return energy.status();
    }
  }
  return absl::OkStatus();
}

std::string EnergyLines(const Record& record, const std::string& missing) {
  std::string lines;
  std::set<std::string> steps;
  for (const Measurement& m : record.measurements()) {
    if (m.has_energy() && steps.insert(m.step()).second)
      absl::StrAppend(&lines, Line(m.step(), StepText(m)));
  }
  if (!missing.empty()) absl::StrAppend(&lines, Line("not read", missing));
  return lines;
}

}  // namespace assay::runner

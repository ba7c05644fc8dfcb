#include "tools/roofline/analysis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/record/arithmetic_dtype.h"
#include "benchmarks/harness/record/outcome.h"

namespace assay::roofline {
namespace {

std::string MachineOf(const Record& record) {
  const Environment& e = record.environment();
  if (record.device() == CUDA)
    return absl::StrCat("cuda ", e.gpu_name().empty() ? "of unknown model" : e.gpu_name());
  return absl::StrCat("cpu ", e.cpu_model().empty() ? "of unknown model" : e.cpu_model(), ", ",
                      e.threads(), e.threads() == 1 ? " thread" : " threads");
}

// Two records may share peaks where these are equal. On a GPU float32 products may be TF32's.
using PeakKey = std::tuple<std::string, Dtype, bool>;

PeakKey KeyOf(const Record& record) {
  const Dtype dtype = record::ArithmeticDtype(record.benchmark_case());
  return {MachineOf(record), dtype,
          record.device() == CUDA && dtype == FP32 && record.environment().tf32_matmul()};
}

const Peak* PeakNamed(const Record& record, std::string_view name) {
  const auto found = absl::c_find_if(
      record.peaks(), [name](const Peak& peak) { return peak.name() == name && peak.per_s() > 0; });
  return found == record.peaks().end() ? nullptr : &*found;
}

struct PeakPair {
  const Peak* gemm = nullptr;
  const Peak* stream = nullptr;
};

// Every record that has peaks.
class PeakSources {
 public:
  PeakSources(const std::vector<Input>& inputs, const std::vector<Input>& peak_inputs) {
    for (const std::vector<Input>* list : {&inputs, &peak_inputs}) {
      for (const Input& input : *list) {
        for (const Record& record : input.file.records) {
          if (!record.peaks().empty()) sources_.push_back(&record);
        }
      }
    }
  }

  // Its own; of what it lacks, the highest that a record may lend it. A copy has no dtype.
  PeakPair For(const Record& record, bool& lent) const {
    PeakPair pair = {PeakNamed(record, "gemm"), PeakNamed(record, "stream")};
    const PeakKey key = KeyOf(record);
    const bool lacks_gemm = pair.gemm == nullptr, lacks_stream = pair.stream == nullptr;
    for (const Record* source : sources_) {
      if (lacks_gemm && KeyOf(*source) == key) pair.gemm = Higher(pair.gemm, *source, "gemm");
      if (lacks_stream && MachineOf(*source) == std::get<0>(key))
        pair.stream = Higher(pair.stream, *source, "stream");
    }
    lent = (lacks_gemm && pair.gemm != nullptr) || (lacks_stream && pair.stream != nullptr);
    return pair;
  }

 private:
  static const Peak* Higher(const Peak* peak, const Record& source, std::string_view name) {
    const Peak* const other = PeakNamed(source, name);
    if (other == nullptr || (peak != nullptr && peak->per_s() >= other->per_s())) return peak;
    return other;
  }

  std::vector<const Record*> sources_;
};

std::string MethodOf(const Measurement& m) { return m.preset().empty() ? m.mode() : m.preset(); }

// For each step the measurement to show; null where it was not measured in the mode asked for.
std::vector<std::pair<std::string, const Measurement*>> Chosen(const Record& record,
                                                               const std::string& mode) {
  std::vector<std::pair<std::string, const Measurement*>> chosen;
  for (const Measurement& m : record.measurements()) {
    auto at = absl::c_find_if(chosen, [&](const auto& pair) { return pair.first == m.step(); });
    if (at == chosen.end()) at = chosen.insert(at, {m.step(), nullptr});
    if (mode.empty()
            ? at->second == nullptr || (MethodOf(m) == "wall" && MethodOf(*at->second) != "wall")
            : at->second == nullptr && MethodOf(m) == mode)
      at->second = &m;
  }
  return chosen;
}

std::string NameOf(const Record& record, const std::string& step) {
  const std::string& name = record.benchmark_case().name();
  return step.empty() || step == "forward" ? name : absl::StrCat(name, "/", step);
}

void AddMarks(const Record& record, const Measurement* m, Row& row) {
  if (record.outcome() != PASS)
    row.marks.push_back(std::string(record::OutcomeName(record.outcome())));
  if (m == nullptr) return;
  std::vector<std::string> flagged;
  for (const Check& check : m->checks()) {
    if (check.status() == CHECK_FLAGGED) flagged.push_back(check.name());
  }
  if (!flagged.empty()) row.marks.push_back(absl::StrCat("FLAGGED ", absl::StrJoin(flagged, " ")));
  if (m->injected_share() > 0)
    row.marks.push_back(absl::StrFormat("injected %.3g %%", 100 * m->injected_share()));
}

bool IsLaunchBound(const Record& record, const Measurement& m) {
  for (const Check& check : m.checks()) {
    if (check.name() == "launch_bound" &&
        (check.status() == CHECK_NOTED || check.status() == CHECK_FLAGGED))
      return true;
  }
  return record.device() != CUDA && m.null_ns() > 0 && m.median_ns() < kLaunchFactor * m.null_ns();
}

Estimate PeakEstimate(const Peak& peak) {
  return {peak.per_s(), peak.ci_low_per_s(), peak.ci_high_per_s()};
}

// Work that takes at least work / peak seconds, against the time that it took.
Estimate ShareOf(double work, const Peak& peak, const Estimate& time_ns) {
  const Estimate per_s = {1e9 * work / time_ns.value,
                          time_ns.has_interval() ? 1e9 * work / time_ns.high : 0,
                          time_ns.has_interval() ? 1e9 * work / time_ns.low : 0};
  return Ratio(per_s, PeakEstimate(peak));
}

// What binds, and how close the row comes to it.
void HoldAgainst(const PeakPair& peaks, bool launch_bound, Row& row) {
  const bool computes = row.flops > 0, moves = row.bytes > 0;
  if (row.time_ns.value > 0 && (!computes || peaks.gemm != nullptr) &&
      (!moves || peaks.stream != nullptr) && (computes || moves)) {
    const double compute_s = computes ? row.flops / peaks.gemm->per_s() : 0;
    const double memory_s = moves ? row.bytes / peaks.stream->per_s() : 0;
    row.bound = compute_s > memory_s ? Bound::kCompute : Bound::kMemory;
    row.share = compute_s > memory_s ? ShareOf(row.flops, *peaks.gemm, row.time_ns)
                                     : ShareOf(row.bytes, *peaks.stream, row.time_ns);
  } else if (moves && !computes) {
    row.bound = Bound::kMemory;
  }
  if (launch_bound) row.bound = Bound::kLaunch;
}

Row RowOf(const Record& record, const std::string& step, const Measurement* m) {
  Row row;
  row.name = NameOf(record, step);
  row.machine = MachineOf(record);
  row.device = absl::AsciiStrToLower(DeviceType_Name(record.device()));
  row.dtype = record::ArithmeticDtype(record.benchmark_case());
  row.started_utc = record.started_utc();
  AddMarks(record, m, row);
  if (m == nullptr) return row;
  row.mode = MethodOf(*m);
  row.time_ns = {m->median_ns(), m->ci_low_ns(), m->ci_high_ns()};
  row.flops = m->flops_per_call();
  row.bytes = m->bytes_per_call();
  return row;
}

// The peak in the middle of those that were used.
std::optional<Peak> Middle(std::vector<const Peak*> peaks) {
  if (peaks.empty()) return std::nullopt;
  const auto middle = peaks.begin() + static_cast<std::ptrdiff_t>(peaks.size() / 2);
  std::nth_element(peaks.begin(), middle, peaks.end(),
                   [](const Peak* a, const Peak* b) { return a->per_s() < b->per_s(); });
  return **middle;
}

std::string Counted(size_t count, std::string_view one, std::string_view many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

class Analyst {
 public:
  Analyst(const PeakSources& sources, const Selection& selection)
      : sources_(sources), selection_(selection), filter_(selection.filter) {}

  void Add(const Input& input) {
    for (const record::LineProblem& problem : input.file.problems)
      analysis_.notes.push_back(absl::StrCat("left out: ", problem.message));
    for (const Record& record : input.file.records) {
      if (record.has_suite_run() && !record.has_benchmark_case()) continue;
      auto chosen = Chosen(record, selection_.mode);
      if (chosen.empty()) chosen.emplace_back("", nullptr);
      for (const auto& [step, measurement] : chosen) {
        if (measurement == nullptr && !step.empty()) {
          ++not_in_mode_;
          continue;
        }
        Add(input, record, step, measurement);
      }
    }
  }

  Analysis Finish() {
    for (auto& [key, used] : used_) {
      analysis_.roofs.push_back({.machine = key.first,
                                 .dtype = key.second,
                                 .gemm = Middle({used.first.begin(), used.first.end()}),
                                 .stream = Middle({used.second.begin(), used.second.end()})});
    }
    AddNotes();
    return std::move(analysis_);
  }

 private:
  void Add(const Input& input, const Record& record, const std::string& step,
           const Measurement* m) {
    Row row = RowOf(record, step, m);
    row.file = input.path;
    if (!std::regex_search(row.name, filter_)) return;
    if (!selection_.dtype.empty() &&
        absl::AsciiStrToLower(Dtype_Name(row.dtype)) != selection_.dtype)
      return;
    bool lent = false;
    const PeakPair peaks = sources_.For(record, lent);
    HoldAgainst(peaks, m != nullptr && IsLaunchBound(record, *m), row);
    auto& [gemms, streams] = used_[{row.machine, row.dtype}];
    if (peaks.gemm != nullptr) gemms.insert(peaks.gemm);
    if (peaks.stream != nullptr) streams.insert(peaks.stream);
    if (row.share && lent) ++lent_;
    const bool has_cost = row.flops > 0 || row.bytes > 0;
    if (!row.share && row.time_ns.value > 0) {
      if (has_cost) without_peaks_.insert(absl::StrCat(row.machine, ", ", DtypeText(row.dtype)));
      without_cost_ += has_cost ? 0 : 1;
    }
    if (row.share && row.share->value > 1) {
      row.marks.push_back("above the roof");
      ++above_;
    }
    if (!absl::c_linear_search(analysis_.machines, row.machine))
      analysis_.machines.push_back(row.machine);
    analysis_.rows.push_back(std::move(row));
  }

  static std::string DtypeText(Dtype dtype) {
    return dtype == DTYPE_UNSPECIFIED ? "no dtype" : absl::AsciiStrToLower(Dtype_Name(dtype));
  }

  void AddNotes() {
    std::vector<std::string>& notes = analysis_.notes;
    if (analysis_.machines.size() > 1) {
      notes.push_back(absl::StrCat("records of several machines, each held against its own peaks: ",
                                   absl::StrJoin(analysis_.machines, "; ")));
    }
    if (!without_peaks_.empty()) {
      notes.push_back(absl::StrCat(
          "no share without peaks, and there are none of ", absl::StrJoin(without_peaks_, "; "),
          "; --peaks with a case's command measures them, or for all records of that machine and "
          "dtype: tools/bazel run //benchmarks/operators:mm_fp32_m256_k256_n256 -- --peaks "
          "--record=peaks.jsonl (also mm_bf16_…, mm_fp16_…), and here --peaks=peaks.jsonl"));
    }
    if (lent_ > 0) {
      notes.push_back(absl::StrCat(Counted(lent_, "row is", "rows are"),
                                   " held against peaks of another record of the same machine"));
    }
    if (above_ > 0) {
      notes.push_back(
          absl::StrCat(Counted(above_, "row is", "rows are"),
                       " above the roof: what a call moves stays in a cache, and stream is that of "
                       "memory; or it "
                       "only reads, or the machine was slower while the peaks were measured"));
    }
    if (without_cost_ > 0) {
      notes.push_back(absl::StrCat(Counted(without_cost_, "row has", "rows have"),
                                   " neither operations nor bytes that are known"));
    }
    if (not_in_mode_ > 0) {
      notes.push_back(absl::StrCat("left out: ", Counted(not_in_mode_, "step", "steps"),
                                   " that were not measured in mode ", selection_.mode));
    }
  }

  const PeakSources& sources_;
  const Selection& selection_;
  const std::regex filter_;
  Analysis analysis_;
  std::map<std::pair<std::string, Dtype>, std::pair<std::set<const Peak*>, std::set<const Peak*>>>
      used_;
  std::set<std::string> without_peaks_;
  size_t lent_ = 0, above_ = 0, without_cost_ = 0, not_in_mode_ = 0;
};

}  // namespace

std::string_view BoundName(Bound bound) {
  switch (bound) {
    case Bound::kUnknown:
      return "-";
    case Bound::kCompute:
      return "compute";
    case Bound::kMemory:
      return "memory";
    case Bound::kLaunch:
      return "launch";
  }
  return "-";
}

Estimate Ratio(const Estimate& a, const Estimate& b) {
  Estimate ratio = {.value = a.value / b.value};
  if (!a.has_interval() || !b.has_interval()) return ratio;
  const double down = std::hypot(std::log(a.value / a.low), std::log(b.high / b.value));
  const double up = std::hypot(std::log(a.high / a.value), std::log(b.value / b.low));
  ratio.low = ratio.value * std::exp(-down);
  ratio.high = ratio.value * std::exp(up);
  return ratio;
}

Analysis Analyse(const std::vector<Input>& inputs, const std::vector<Input>& peak_inputs,
                 const Selection& selection) {
  const PeakSources sources(inputs, peak_inputs);
  Analyst analyst(sources, selection);
  for (const Input& input : inputs) analyst.Add(input);
  return analyst.Finish();
}

void Sort(std::vector<Row>& rows, const Order& order) {
  if (order.key == "file") {
    if (order.reversed) absl::c_reverse(rows);
    return;
  }
  if (order.key == "name") {
    absl::c_stable_sort(rows, [&](const Row& a, const Row& b) {
      return order.reversed ? b.name < a.name : a.name < b.name;
    });
    return;
  }
  const auto number = [&](const Row& row) {
    if (order.key == "share") return row.share ? row.share->value : 0;
    if (order.key == "time") return row.time_ns.value;
    if (order.key == "flops") return row.flops;
    if (order.key == "bytes") return row.bytes;
    return row.Intensity();
  };
  absl::c_stable_sort(rows, [&](const Row& a, const Row& b) {
    const double left = number(a), right = number(b);
    if ((left > 0) != (right > 0)) return left > 0;
    return order.reversed ? left < right : left > right;
  });
}

}  // namespace assay::roofline

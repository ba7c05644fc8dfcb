#include "tools/roofline/analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/byte_text.h"
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

// Two records may share peaks where these are equal. On a GPU products and convolutions of float32
// may be TF32's.
using PeakKey = std::tuple<std::string, Dtype, bool, bool>;

PeakKey KeyOf(const Record& record) {
  const Dtype dtype = record::ArithmeticDtype(record.benchmark_case());
  const bool may_round = record.device() == CUDA && dtype == FP32;
  return {MachineOf(record), dtype, may_round && record.environment().tf32_matmul(),
          may_round && record.environment().tf32_cudnn()};
}

// Older records have "gemm", of a matrix product alone.
constexpr std::array<std::string_view, 2> kCompute = {"compute", "gemm"};
constexpr std::array<std::string_view, 2> kMemory = {"stream", "read"};

using PeakNames = std::array<std::string_view, 2>;

// `peak` or a higher one of these names that the record has.
const Peak* Higher(const Peak* peak, const Record& record, const PeakNames& names) {
  for (const Peak& other : record.peaks()) {
    if (absl::c_linear_search(names, other.name()) &&
        other.per_s() > (peak == nullptr ? 0 : peak->per_s()))
      peak = &other;
  }
  return peak;
}

struct PeakPair {
  const Peak* compute = nullptr;
  const Peak* memory = nullptr;
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

  // Its own; of what it lacks, the highest that a record may lend it. Memory has no dtype.
  PeakPair For(const Record& record, bool& lent) const {
    PeakPair pair = {Higher(nullptr, record, kCompute), Higher(nullptr, record, kMemory)};
    const PeakKey key = KeyOf(record);
    const bool lacks_compute = pair.compute == nullptr, lacks_memory = pair.memory == nullptr;
    for (const Record* source : sources_) {
      if (lacks_compute && KeyOf(*source) == key)
        pair.compute = Higher(pair.compute, *source, kCompute);
      if (lacks_memory && MachineOf(*source) == std::get<0>(key))
        pair.memory = Higher(pair.memory, *source, kMemory);
    }
    lent = (lacks_compute && pair.compute != nullptr) || (lacks_memory && pair.memory != nullptr);
    return pair;
  }

 private:
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

// Finds what limits a row, and how close the row comes to that limit.
void HoldAgainst(const PeakPair& peaks, Row& row) {
  const bool computes = row.flops > 0, moves = row.bytes > 0;
  if (row.time_ns.value > 0 && (!computes || peaks.compute != nullptr) &&
      (!moves || peaks.memory != nullptr) && (computes || moves)) {
    const double compute_s = computes ? row.flops / peaks.compute->per_s() : 0;
    const double memory_s = moves ? row.bytes / peaks.memory->per_s() : 0;
    row.bound = compute_s > memory_s ? Bound::kCompute : Bound::kMemory;
    row.share = compute_s > memory_s ? ShareOf(row.flops, *peaks.compute, row.time_ns)
                                     : ShareOf(row.bytes, *peaks.memory, row.time_ns);
  } else if (moves && !computes) {
    row.bound = Bound::kMemory;
  }
}

// `spared`: the part of the work that the call may not have done.
bool IsAbove(const Estimate& share, double spared = 0) {
  return (share.has_interval() ? share.low : share.value) * (1 - spared) > 1;
}

// The reason that the record gives for a row above the peak that binds it; empty: none is enough.
std::string WhyAbove(const Record& record, const Measurement& m, const PeakPair& peaks,
                     const Row& row) {
  const bool computes = row.bound == Bound::kCompute;
  const double padding = m.padding_flops_per_call() / row.flops;
  if (computes && !IsAbove(*row.share, padding))
    return absl::StrFormat("padding: %.2g %% of the FLOPs multiply zeros", 100 * padding);
  const Environment& e = record.environment();
  const int64_t cache = record.device() == CUDA ? e.gpu_l2_bytes() : e.cpu_cache_bytes();
  const double held = std::min(static_cast<double>(cache) / row.bytes, 1.0);
  // These modes empty the cache before each call.
  const bool flushed = MethodOf(m) == "cold" || MethodOf(m) == "do_bench";
  if (!computes && !flushed && !IsAbove(*row.share, held)) {
    const std::string bytes = base::ByteText(static_cast<int64_t>(row.bytes));
    const std::string size = base::ByteText(cache);
    return held < 1 ? absl::StrCat("the last cache can hold ", size, " of ", bytes)
                    : absl::StrCat("fits the last cache (", bytes, " of ", size, ")");
  }
  if (absl::StrContains((computes ? peaks.compute : peaks.memory)->probe(), "FLAGGED"))
    return "its peak was FLAGGED";
  return "";
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
                                 .compute = Middle({used.first.begin(), used.first.end()}),
                                 .memory = Middle({used.second.begin(), used.second.end()})});
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
    HoldAgainst(peaks, row);
    auto& [compute, memory] = used_[{row.machine, row.dtype}];
    if (peaks.compute != nullptr) compute.insert(peaks.compute);
    if (peaks.memory != nullptr) memory.insert(peaks.memory);
    if (row.share && lent) ++lent_;
    const bool has_cost = row.flops > 0 || row.bytes > 0;
    if (!row.share && row.time_ns.value > 0) {
      if (has_cost) without_peaks_.insert(absl::StrCat(row.machine, ", ", DtypeText(row.dtype)));
      without_cost_ += has_cost ? 0 : 1;
    }
    if (row.share && IsAbove(*row.share)) {
      const std::string why = WhyAbove(record, *m, peaks, row);
      row.marks.push_back(absl::StrCat("above the roof, ", why.empty() ? "no reason found" : why));
      unexplained_ += why.empty() ? 1 : 0;
    }
    if (m != nullptr && IsLaunchBound(record, *m)) row.bound = Bound::kLaunch;
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
    if (unexplained_ > 0) {
      notes.push_back(absl::StrCat(
          Counted(unexplained_, "row is", "rows are"),
          " above the roof, and no figure of its record says why, which is a finding: the peak is "
          "too low, the count too high, or work is missing; measure again with --peaks, alone on "
          "the machine"));
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
  size_t lent_ = 0, unexplained_ = 0, without_cost_ = 0, not_in_mode_ = 0;
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

// -----------------------------------------------------------------------------
// File: mutant.h
// -----------------------------------------------------------------------------
//
// One mutant: a known fault, run through the real engine on a fake device, and an honest twin that
// differs in nothing else.
//
// Not for the list of them, which is what tests and the certificate want: mutants.h.
//
//   Mutant{"2", "work on another stream", Flags("all_work_awaited"),
//          [](bool honest, Noise& noise) { ... return Measure(...); }}

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_MUTANTS_MUTANT_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_MUTANTS_MUTANT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/measure.h"

namespace assay::sampling {

constexpr int64_t kUs = 1'000;
constexpr int64_t kMs = 1'000'000;

// Durations of a quiet machine: seeded, about normal, standard deviation 0.2 %.
class Noise {
 public:
  explicit Noise(uint64_t seed) : state_(seed) {}
  int64_t operator()(int64_t ns);
  uint64_t Next();  // SplitMix64 (Steele, Lea and Flood 2014)

 private:
  uint64_t state_;
};

// The findings that are expected of a mutant.
struct Contract {
  std::string_view check = {};  // this one is at least `least`; empty: see below
  CheckStatus least = CheckStatus::kFlagged;
  absl::StatusCode error = absl::StatusCode::kOk;  // Measure() fails with this code
  int64_t truth_ns =
      0;  // the engine is immune: the median is this within 0.5 %, and nothing is flagged
};
constexpr Contract Flags(std::string_view check) { return {.check = check}; }
constexpr Contract Notes(std::string_view check) {
  return {.check = check, .least = CheckStatus::kNoted};
}
constexpr Contract Fails(absl::StatusCode error) { return {.error = error}; }
constexpr Contract Reads(int64_t truth_ns) { return {.truth_ns = truth_ns}; }

struct Mutant {
  std::string_view number;  // number of the kind of mistake (mutants.h); "-": none of the 32
  std::string_view name;
  Contract contract;
  std::function<absl::StatusOr<SampleSet>(bool honest, Noise& noise)> run;
};

// A work made of functions; one that is left out behaves as in TimedWork.
struct ScriptedWorkload : TimedWork {
  explicit ScriptedWorkload(std::function<void()> call) : call(std::move(call)) {}
  void Call() override { call(); }
  int InputSets() const override { return sets; }
  void UseInputs(int new_set) override { set = new_set; }
  int64_t InputBytes() const override { return input_bytes; }
  std::optional<uint64_t> OutputDigest() override { return output ? output() : std::nullopt; }
  std::optional<uint64_t> InputDigest() override { return input ? input() : std::nullopt; }
  std::optional<std::string> InputConcern() override { return concern ? concern() : std::nullopt; }

  std::function<void()> call;
  std::function<std::optional<std::string>()> concern = nullptr;
  std::function<std::optional<uint64_t>()> output = nullptr, input = nullptr;
  int sets = 1;
  int set = 0;
  int64_t input_bytes = 0;
};

std::vector<Mutant> TimingMutants();    // clocks, timers, queues, caches
std::vector<Mutant> WorkloadMutants();  // the called function does not do the work
std::vector<Mutant> ProcessMutants();   // the machine or the process changes under way

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_MUTANTS_MUTANT_H_

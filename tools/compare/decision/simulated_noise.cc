#include "tools/compare/decision/simulated_noise.h"

#include <cmath>

namespace assay::compare {

std::string_view NoiseName(NoiseKind kind) {
  switch (kind) {
    case NoiseKind::kNormal:
      return "normal";
    case NoiseKind::kT3:
      return "t3";
    case NoiseKind::kSpells:
      return "spells";
  }
  return "";
}

double SimulatedMachine::Noise() {
  const double process_sd = conditions_.pair_sd / std::sqrt(2.0);
  if (conditions_.kind == NoiseKind::kT3) {
    // The variance of Student's t with 3 degrees of freedom is 3.
    return process_sd / std::sqrt(3.0) * std::student_t_distribution<double>(3)(random_);
  }
  double noise = process_sd * std::normal_distribution<double>()(random_);
  if (conditions_.kind != NoiseKind::kSpells) return noise;
  std::uniform_real_distribution<double> uniform;
  if (spell_left_ == 0 && uniform(random_) < 0.05) {
    spell_left_ = std::uniform_int_distribution<int>(1, 6)(random_);
    spell_log_ = std::log(1.02) + uniform(random_) * std::log(1.3 / 1.02);
  }
  if (spell_left_ > 0) {
    --spell_left_;
    noise += spell_log_;
  }
  return noise;
}

MeasuredProcess SimulatedMachine::Run(const ProcessRequest& request) {
  const bool affected = conditions_.affected_cases < 0 ||
                        static_cast<int>(request.case_index) < conditions_.affected_cases;
  double log_time = std::log(250e3) + Noise() + conditions_.drift * processes_++;
  if (request.side == SideName::kCandidate && affected) log_time += std::log1p(conditions_.effect);
  MeasuredProcess process;
  process.outcome = PASS;
  process.medians.push_back({.mode = "wall", .median_ns = std::exp(log_time)});
  return process;
}

}  // namespace assay::compare

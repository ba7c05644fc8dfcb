#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_PROGRAM_DECORATOR_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_PROGRAM_DECORATOR_H_

// ---------------------------------------------------------------------------------------------
// program_decorator.h: a program that forwards every call to another one. Tests derive from it to
// change one thing: a fault that a verdict must find, a cheat that a measurement must find.
//
// Example:
//   class Faulty final : public ProgramDecorator {
//    public:
//     using ProgramDecorator::ProgramDecorator;
//     Tensors Outputs(TensorsRef inputs) override { return {inner().Outputs(inputs)[0] * 2}; }
//   };
// ---------------------------------------------------------------------------------------------

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/harness/programs/program.h"
#include "defs/case/lowerings.h"

namespace assay::execution {

class ProgramDecorator : public Program {
 public:
  // `inner` must outlive this.
  explicit ProgramDecorator(Program& inner) : inner_(inner) {}

  StateContract Contract() const override { return inner_.Contract(); }
  bool Differentiates() const override { return inner_.Differentiates(); }
  bool RunsEagerly() const override { return inner_.RunsEagerly(); }
  std::vector<models::NamedTensor> State() override { return inner_.State(); }
  void To(at::Device device, at::ScalarType dtype) override { inner_.To(device, dtype); }
  absl::Status Lower(const Lowering& lowering) override { return inner_.Lower(lowering); }
  Tensors Outputs(TensorsRef inputs) override { return inner_.Outputs(inputs); }
  void Begin(Step step, TensorsRef inputs) override { inner_.Begin(step, inputs); }
  bool VerifiesAsTimed(Step step) const override { return inner_.VerifiesAsTimed(step); }
  void BeginVerified(Step step, TensorsRef inputs) override { inner_.BeginVerified(step, inputs); }
  void Prepare(Step step, TensorsRef inputs) override { inner_.Prepare(step, inputs); }
  Tensors Call(Step step, TensorsRef inputs) override { return inner_.Call(step, inputs); }
  std::vector<VerifiedOutput> Verified(Step step, Tensors returned) override {
    return inner_.Verified(step, std::move(returned));
  }
  void Reset() override { inner_.Reset(); }
  std::optional<double> Drift() const override { return inner_.Drift(); }
  Tensors Kept() const override { return inner_.Kept(); }
  std::vector<std::string> Mistakes() const override { return inner_.Mistakes(); }
  void MakeMistake(std::string_view mistake) override { inner_.MakeMistake(mistake); }

 protected:
  Program& inner() const { return inner_; }

 private:
  Program& inner_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_PROGRAM_DECORATOR_H_

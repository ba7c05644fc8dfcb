#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_SEEDED_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_SEEDED_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// seeded_program.h: makes a workload's program with its seeded state, and its inputs. Only this
// file knows the kinds of program: a model of models/, in evaluation or training, or an operator.
//
// Weights are drawn as float32 numbers on the CPU, each tensor keyed by (seed, its name): the same
// numbers on every machine, rounded once to the case's dtype.
//
// Not for: calling the program (executable.h).
//
// Example:
//   auto program = SeededProgram(c, c.measured(), BF16);  // on the CPU
//   absl::Status placed = Place(**program, at::kCPU, c.benchmark_case(), c.referenced());
//   auto inputs = SeededInputs(c.measured(), BF16, seed, at::kCPU);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"
#include "models/model.h"

namespace assay::execution {

// The model of a case that names one, as NewProgram() makes it.
absl::StatusOr<std::unique_ptr<models::Model>> NewModel(const ModelImplementation& implementation,
                                                        const Workload& workload);

// Makes the program: float32, on the CPU, floating-point tensors of its state uninitialised.
// Errors: those of models::Create, TrainingProgram::Make or OperatorProgram::Make, or
// ResourceExhausted where memory does not suffice.
absl::StatusOr<std::unique_ptr<Program>> NewProgram(const ResolvedCase& c,
                                                    const Workload& workload);

// Makes a program on the CPU and fills every tensor of its state that needs it (models::NamedTensor).
// Only the tensors of `dtype` ever take memory: those of float32 are moved before a page is written.
absl::StatusOr<std::unique_ptr<Program>> SeededProgram(const ResolvedCase& c,
                                                       const Workload& workload,
                                                       Dtype dtype = Dtype::FP32);

// A new program on the CPU with the state of `program`, which is of the same case and workload and is not
// lowered. Drawing the state again takes five times as long. Errors: those of NewProgram() and Move().
absl::StatusOr<std::unique_ptr<Program>> CopyOf(Program& program, const ResolvedCase& c,
                                                const Workload& workload,
                                                Dtype dtype = Dtype::FP32);

// One tensor for each input of the workload, in order; floating-point ones rounded to `dtype`.
// `other_seed` takes the place of `seed`, but for inputs that say where another's bags are: shapes
// stay those of the workload. ResourceExhausted where memory does not suffice.
absl::StatusOr<Tensors> SeededInputs(const Workload& workload, Dtype dtype, uint64_t seed,
                                     at::Device device,
                                     std::optional<uint64_t> other_seed = std::nullopt);

// The bytes that SeededInputs() of a workload take while they are made, in float32.
double BytesOfInputs(const Workload& workload);

// Moves the program's state; ResourceExhausted where memory does not suffice.
absl::Status Move(Program& program, at::Device device, Dtype dtype);

// Moves the program's state to where the case wants it, and lowers it if the case asks for that. A
// lowering that calibrates is shown the seeded inputs of the workload `calibration`: c.referenced(), so
// that scales do not depend on the batch, or that of a smoke test. `judged`: as in Lowering. Errors:
// those of Move() and SeededInputs(); InvalidArgument where the program has no such lowering.
absl::Status Place(Program& program, at::Device device, const BenchmarkCase& c,
                   const Workload& calibration, JudgedLayers* judged = nullptr);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_SEEDED_PROGRAM_H_

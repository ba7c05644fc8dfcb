#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_DATA_GENERATOR_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_DATA_GENERATOR_H_

// ---------------------------------------------------------------------------------------------
// data_generator.h: makes values for the arguments of one build or input, as PARAM's generators
// make them (train/compute/python/lib/pytorch/data_impl.py and the embedding's).
//
//   PyTorch:DefaultDataGenerator   floats on [0, 1), integers from -10 to 9 (uint8: 0 to 9), bools
//                                  by chance; a tensor without dimensions on [-10, 10)
//   SplitTableBatchedEmbeddingBagsCodegenInputDataGenerator   indices, offsets and weights of
//                                  embedding bags (embedding_data.h)
//
// Values depend only on the seed and the argument's place ("torch.mm/args/0"), so a resumed run
// gets the same values as a whole one. Integer tensors never have gradients.
//
// Example:
//   auto generate = FindDataGenerator("PyTorch:DefaultDataGenerator");
//   absl::StatusOr<execution::OperatorArguments> values =
//       (*generate)(config, {.place = "torch.mm", .device = at::kCPU});
// ---------------------------------------------------------------------------------------------

#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/operators/param/parsing/config_file.h"

namespace assay::param {

struct GeneratorOptions {
  std::string place = {};
  uint64_t seed = 0;
  c10::Device device = c10::kCPU;
  double memory_bytes = 0;  // more bytes are refused; 0: unknown
};

using DataGenerator = absl::StatusOr<execution::OperatorArguments> (*)(const Json& config,
                                                                       const GeneratorOptions&);

// By PARAM's names, with ":" or "::"; "" is the default one. InvalidArgument, with the names there
// are, for another.
//
// A generator returns InvalidArgument for arguments that it cannot make, and ResourceExhausted where
// memory does not suffice.
absl::StatusOr<DataGenerator> FindDataGenerator(std::string_view name);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_DATA_GENERATOR_H_

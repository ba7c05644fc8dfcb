#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_ARGUMENTS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_ARGUMENTS_H_

// ---------------------------------------------------------------------------------------------
// arguments.h: reads the arguments of one build or input into types and checks them.
//
//   {"type": "int", "value": 3}          long too; float and double; bool, str, device, none
//   {"type": "int", "value_range": [1, 9]}
//   {"type": "genericlist", "value": [...]}     tuple too; arguments, or plain numbers and texts
//   {"type": "tensor", "dtype": "float", "shape": [2, 3], "requires_grad": false}
//       "strides": [1, 2]       of its memory; "value_range": [0, 9], of whole numbers, both included
//
// As in PARAM the type of a number is what it is written as: an "int" of 2.5 is passed on as 2.5.
//
// Not for: values (data_generator.h).
//
// Example:
//   absl::StatusOr<Arguments> arguments = ReadArguments(config);
//   // "/args/1/shape/0: a size is a whole number that is not negative: -1"
// ---------------------------------------------------------------------------------------------

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/operators/param/parsing/config_file.h"

namespace assay::param {

// Both ends included.
template <typename Number>
struct Drawn {
  Number low, high;
};

struct TensorArgument {
  c10::ScalarType dtype = c10::ScalarType::Float;
  std::vector<int64_t> shape;
  bool requires_grad = true;                  // for a dtype that can have gradients
  std::vector<int64_t> strides = {};          // empty: contiguous
  std::optional<Drawn<int64_t>> values = {};  // of whole numbers
};

struct Device {
  std::string name;  // "cuda:1"
};

struct Argument;

struct ListArgument {
  std::vector<Argument> items;
  bool is_tuple = false;
};

struct Argument {
  // std::monostate: None.
  std::variant<std::monostate, int64_t, double, bool, std::string, Device, Drawn<int64_t>,
               Drawn<double>, TensorArgument, ListArgument>
      value;
};

struct Arguments {
  std::vector<Argument> positional;
  std::vector<std::pair<std::string, Argument>> named;
};

// InvalidArgument, with the JSON pointer of the place. Null and an empty list are no arguments.
absl::StatusOr<Arguments> ReadArguments(const Json& config);

// Bytes of all tensors, at most the largest double.
double TensorBytes(const Arguments& arguments);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_ARGUMENTS_H_

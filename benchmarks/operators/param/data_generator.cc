#include "benchmarks/operators/param/data_generator.h"

#include <ATen/core/Tensor.h>
#include <c10/core/DeviceType.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/arguments.h"
#include "benchmarks/operators/param/embedding_data.h"
#include "benchmarks/operators/param/error_class.h"
#include "defs/case/philox.h"
#include "defs/proto/suite.pb.h"

namespace assay::param {
namespace {

bool HoldsFloats(c10::ScalarType dtype) { return c10::isFloatingType(dtype); }

// The elements of the memory that a tensor with strides lies in.
int64_t ElementsBehind(const TensorArgument& argument) {
  int64_t last = 1;
  for (size_t i = 0; i < argument.shape.size(); ++i) {
    if (argument.shape[i] == 0) return 0;
    last += (argument.shape[i] - 1) * argument.strides[i];
  }
  return last;
}

absl::StatusOr<at::Tensor> MakeTensor(const TensorArgument& argument, const std::string& place,
                                      const GeneratorOptions& options) {
  TensorSpec spec;
  spec.set_name(place);
  if (argument.strides.empty()) {
    spec.mutable_shape()->Add(argument.shape.begin(), argument.shape.end());
  } else {
    spec.add_shape(ElementsBehind(argument));
  }
  constexpr int kBound = 10;
  if (HoldsFloats(argument.dtype)) {
    // Drawn in float32, as MakeInput does for every dtype.
    spec.set_dtype(argument.dtype == c10::kDouble ? FP64 : FP32);
    Uniform& uniform = *spec.mutable_distribution()->mutable_uniform();
    uniform.set_low(argument.shape.empty() ? -kBound : 0);
    uniform.set_high(argument.shape.empty() ? kBound : 1);
  } else {
    spec.set_dtype(INT64);
    Integers& integers = *spec.mutable_distribution()->mutable_integers();
    const bool is_bool = argument.dtype == c10::kBool;
    integers.set_low(is_bool || argument.dtype == c10::kByte ? 0 : -kBound);
    integers.set_limit(is_bool ? 2 : kBound);
    if (argument.values) {
      integers.set_low(argument.values->low);
      integers.set_limit(argument.values->high + 1);
    }
  }
  absl::StatusOr<at::Tensor> tensor = numerics::MakeInput(spec, spec.dtype(), options.seed);
  if (!tensor.ok()) return tensor;
  const absl::Status moved = base::CatchTorch(absl::StrCat("moving ", place), [&] {
    *tensor = tensor->to(options.device, argument.dtype);
    if (!argument.strides.empty()) *tensor = tensor->as_strided(argument.shape, argument.strides);
    *tensor = tensor->set_requires_grad(argument.requires_grad && HoldsFloats(argument.dtype));
  });
  if (!moved.ok()) return moved;
  return tensor;
}

// A number in [0, 1) with 24 bits.
double Share(const std::string& place, uint64_t seed) {
  return (PhiloxStream(seed, place).Word(0) >> 8) * 0x1p-24;
}

absl::StatusOr<c10::IValue> ValueOf(const Argument& argument, const std::string& place,
                                    const GeneratorOptions& options);

absl::StatusOr<c10::IValue> ListOf(const ListArgument& list, const std::string& place,
                                   const GeneratorOptions& options) {
  std::vector<c10::IValue> items;
  for (size_t i = 0; i < list.items.size(); ++i) {
    absl::StatusOr<c10::IValue> item = ValueOf(list.items[i], absl::StrCat(place, "/", i), options);
    if (!item.ok()) return item;
    items.push_back(*std::move(item));
  }
  // A list has one type of elements, a tuple may have several; operators accept a tuple as a list.
  return c10::IValue(c10::ivalue::Tuple::create(std::move(items)));
}

absl::StatusOr<c10::IValue> ValueOf(const Argument& argument, const std::string& place,
                                    const GeneratorOptions& options) {
  using Result = absl::StatusOr<c10::IValue>;
  struct Visitor {
    const std::string& place;
    const GeneratorOptions& options;

    Result operator()(std::monostate) const { return c10::IValue(); }
    Result operator()(int64_t value) const { return c10::IValue(value); }
    Result operator()(double value) const { return c10::IValue(value); }
    Result operator()(bool value) const { return c10::IValue(value); }
    Result operator()(const std::string& value) const { return c10::IValue(value); }
    Result operator()(const Device& device) const {
      c10::IValue value;
      const absl::Status made =
          base::CatchTorch(place, [&] { value = c10::IValue(c10::Device(device.name)); });
      if (made.ok()) return value;
      return Classed("INVALID_CONFIG", absl::InvalidArgumentError(made.message()));
    }
    Result operator()(const Drawn<int64_t>& drawn) const {
      const double width = static_cast<double>(drawn.high) - static_cast<double>(drawn.low) + 1;
      return c10::IValue(drawn.low + static_cast<int64_t>(width * Share(place, options.seed)));
    }
    Result operator()(const Drawn<double>& drawn) const {
      return c10::IValue(drawn.low + (drawn.high - drawn.low) * Share(place, options.seed));
    }
    Result operator()(const TensorArgument& tensor) const {
      absl::StatusOr<at::Tensor> made = MakeTensor(tensor, place, options);
      if (!made.ok()) return made.status();
      return c10::IValue(*std::move(made));
    }
    Result operator()(const ListArgument& list) const { return ListOf(list, place, options); }
  };
  return std::visit(Visitor{place, options}, argument.value);
}

absl::StatusOr<execution::OperatorArguments> GenerateDefault(const Json& config,
                                                             const GeneratorOptions& options) {
  const absl::StatusOr<Arguments> read = ReadArguments(config);
  if (!read.ok()) return read.status();
  const Arguments& arguments = *read;
  const double bytes = TensorBytes(arguments);
  constexpr double kLargest = 1e18;
  const double most = options.memory_bytes > 0 ? options.memory_bytes : kLargest;
  if (bytes > most) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the tensors take ", base::ByteText(static_cast<int64_t>(std::min(bytes, kLargest))),
        ", of memory there are ", base::ByteText(static_cast<int64_t>(most))));
  }
  execution::OperatorArguments values;
  for (size_t i = 0; i < arguments.positional.size(); ++i) {
    absl::StatusOr<c10::IValue> value =
        ValueOf(arguments.positional[i], absl::StrCat(options.place, "/args/", i), options);
    if (!value.ok()) return value.status();
    values.positional.push_back(*std::move(value));
  }
  for (const auto& [name, argument] : arguments.named) {
    absl::StatusOr<c10::IValue> value =
        ValueOf(argument, absl::StrCat(options.place, "/kwargs/", name), options);
    if (!value.ok()) return value.status();
    values.named.emplace_back(name, *std::move(value));
  }
  return values;
}

const std::map<std::string, DataGenerator, std::less<>>& Generators() {
  static const auto* const generators = new std::map<std::string, DataGenerator, std::less<>>{
      {"PyTorch:DefaultDataGenerator", GenerateDefault},
      {"SplitTableBatchedEmbeddingBagsCodegenInputDataGenerator", GenerateEmbedding},
      {"SplitTableBatchedEmbeddingInputDataGenerator", GenerateEmbedding}};
  return *generators;
}

}  // namespace

absl::StatusOr<DataGenerator> FindDataGenerator(std::string_view name) {
  const auto found = Generators().find(name.empty() ? "PyTorch:DefaultDataGenerator"
                                                    : absl::StrReplaceAll(name, {{"::", ":"}}));
  if (found != Generators().end()) return found->second;
  return Classed("UNKNOWN_GENERATOR",
                 absl::InvalidArgumentError(absl::StrCat(
                     "there is no data generator ", base::Quoted(name), "; there are ",
                     absl::StrJoin(Generators(), ", ", [](std::string* out, const auto& entry) {
                       out->append(entry.first);
                     }))));
}

}  // namespace assay::param

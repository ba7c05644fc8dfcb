#include "benchmarks/harness/numerics/seeded_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "ATen/Parallel.h"
#include "ATen/core/Tensor.h"
#include "ATen/ops/empty.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/text/shape_text.h"
#include "defs/case/distributions.h"
#include "defs/case/philox.h"
#include "defs/proto/suite.pb.h"
#include "models/init.h"

namespace assay::numerics {
namespace {

// Standard deviation 1: u has variance 1/3.
constexpr models::Init kUnitVariance{.multiplier = 1.7320508075688772, .offset = 0, .slope = 1};

// Starting a thread costs about as much as drawing this many elements.
constexpr int64_t kElementsWorthAThread = int64_t{1} << 18;

// Calls body(begin, end) on ranges that cover [0, count) and begin at multiples of 4 (whole Philox
// blocks), on LibTorch's number of threads. at::parallel_for needs OpenMP in *this* translation
// unit to be parallel at all, and would leave its pool behind; short-lived threads do neither.
template <typename Body>
void ForEachRange(int64_t count, const Body& body) {
  const int64_t useful = 1 + count / kElementsWorthAThread;
  const int64_t threads = std::clamp<int64_t>(at::get_num_threads(), 1, useful);
  const int64_t step = ((count + threads - 1) / threads + 3) / 4 * 4;
  std::vector<std::thread> workers;
  for (int64_t begin = step; begin < count; begin += step) {
    workers.emplace_back([=, &body] { body(begin, std::min(begin + step, count)); });
  }
  body(0, std::min(step, count));
  for (std::thread& worker : workers) worker.join();
}

// The words of kLanes consecutive blocks, held word by word, so that the compiler turns every
// step into vector instructions: 335 million weights (bert-large) took 0.7 s on two cores so, and
// 1.4 s block by block (seeded_tensor_benchmark, SSE2).
constexpr int64_t kLanes = 16;
struct Lanes {
  uint32_t word[4][kLanes];
};

inline void DrawLanes(const PhiloxStream& stream, uint64_t first_block, Lanes& lanes) {
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    const PhiloxBlock counter = stream.Counter(first_block + static_cast<uint64_t>(lane));
    for (int i = 0; i < 4; ++i) lanes.word[i][lane] = counter[i];
  }
  PhiloxKey key = stream.Key();
  for (int round = 0; round < kPhiloxRounds; ++round) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      const uint64_t product0 = uint64_t{kPhiloxMultiplier0} * lanes.word[0][lane];
      const uint64_t product1 = uint64_t{kPhiloxMultiplier1} * lanes.word[2][lane];
      lanes.word[0][lane] = static_cast<uint32_t>(product1 >> 32) ^ lanes.word[1][lane] ^ key[0];
      lanes.word[1][lane] = static_cast<uint32_t>(product1);
      lanes.word[2][lane] = static_cast<uint32_t>(product0 >> 32) ^ lanes.word[3][lane] ^ key[1];
      lanes.word[3][lane] = static_cast<uint32_t>(product0);
    }
    key = {key[0] + kPhiloxKeyStep0, key[1] + kPhiloxKeyStep1};
  }
}

// Calls store(element, word) for every element of [begin, end); begin is a multiple of 4.
template <typename Store>
inline void ForEachWord(const PhiloxStream& stream, int64_t begin, int64_t end,
                        const Store& store) {
  Lanes lanes;
  int64_t element = begin;
  for (; element + 4 * kLanes <= end; element += 4 * kLanes) {
    DrawLanes(stream, static_cast<uint64_t>(element) / 4, lanes);
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      for (int i = 0; i < 4; ++i) store(element + 4 * lane + i, lanes.word[i][lane]);
    }
  }
  for (; element < end; ++element) store(element, stream.Word(static_cast<uint64_t>(element)));
}

template <typename Element>
void FillFloats(Element* data, int64_t count, const PhiloxStream& stream, const models::Init init) {
  ForEachRange(count, [&](int64_t begin, int64_t end) {
    ForEachWord(stream, begin, end, [data, init](int64_t element, uint32_t word) {
      // offset + slope * u is exact, so it does not matter whether the compiler fuses it.
      const double value =
          init.multiplier * (init.offset + init.slope * PhiloxStream::Uniform(word));
      data[element] = static_cast<Element>(static_cast<float>(value));
    });
  });
}

// Calls draw(word) for every element, each with its own word.
template <typename Element, typename Draw>
void DrawEach(Element* data, int64_t count, const PhiloxStream& stream, const Draw& draw) {
  ForEachRange(count, [&](int64_t begin, int64_t end) {
    ForEachWord(stream, begin, end,
                [data, &draw](int64_t element, uint32_t word) { data[element] = draw(word); });
  });
}

// low + (high - low) * w, where w has 24 bits on [0, 1).
void FillUniform(float* data, int64_t count, const PhiloxStream& stream, const Uniform& uniform) {
  DrawEach(data, count, stream,
           [low = uniform.low(), width = uniform.high() - uniform.low()](uint32_t word) {
             return static_cast<float>(low + width * ((word >> 8) * 0x1p-24));
           });
}

// Element e takes the twelve words of blocks 3 e to 3 e + 2, of each the upper 24 bits. Their sum
// has variance 2^48 - 1, so that scaling by 2^-24 gives a standard deviation of one; it is an
// integer of 28 bits, hence exact.
constexpr int64_t kNormalBlocks = 3;
constexpr int64_t kNormalMean = 6 * ((int64_t{1} << 24) - 1);

double StandardNormal(const PhiloxStream& stream, int64_t element) {
  int64_t sum = -kNormalMean;
  for (int64_t block = kNormalBlocks * element; block < kNormalBlocks * (element + 1); ++block) {
    for (const uint32_t word : stream.Block(static_cast<uint64_t>(block))) sum += word >> 8;
  }
  return static_cast<double>(sum) * 0x1p-24;
}

void FillNormal(float* data, int64_t count, const PhiloxStream& stream, const Normal& normal) {
  const double mean = normal.mean(), stddev = normal.stddev() == 0 ? 1 : normal.stddev();
  ForEachRange(count, [&](int64_t begin, int64_t end) {
    for (int64_t element = begin; element < end; ++element)
      data[element] = static_cast<float>(mean + stddev * StandardNormal(stream, element));
  });
}

void FillUniformIntegers(int64_t* data, int64_t count, const PhiloxStream& stream,
                         const Integers& integers) {
  const uint64_t width =
      static_cast<uint64_t>(integers.limit()) - static_cast<uint64_t>(integers.low());
  DrawEach(data, count, stream, [low = integers.low(), width](uint32_t word) {
    return low + static_cast<int64_t>(PhiloxStream::Integer(word, width));
  });
}

// base^(quarters / 4) by products and square roots, which IEEE rounds alike everywhere; std::pow's
// last bit differs between libraries.
double Power(double base, int quarters) {
  double power = 1;
  for (int i = 0; i < quarters / 4; ++i) power *= base;
  const double root = std::sqrt(base);
  if (quarters % 4 >= 2) power *= root;
  if (quarters % 2 == 1) power *= std::sqrt(root);
  return power;
}

// Sums of the weights (k + 1)^-exponent, added in this order; an element is the first k whose sum
// exceeds the word's share of the whole.
void FillZipf(int64_t* data, int64_t count, const PhiloxStream& stream, const Zipf& zipf) {
  const int quarters = static_cast<int>(zipf.exponent() * 4);
  std::vector<double> sums(static_cast<std::size_t>(zipf.limit()));
  double sum = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sum += 1 / Power(static_cast<double>(k + 1), quarters);
    sums[k] = sum;
  }
  DrawEach(data, count, stream, [&sums, sum](uint32_t word) {
    const double share = word * 0x1p-32 * sum;
    return std::upper_bound(sums.begin(), sums.end(), share) - sums.begin();
  });
}

void FillBernoulli(int64_t* data, int64_t count, const PhiloxStream& stream,
                   const Bernoulli& bernoulli) {
  DrawEach(data, count, stream, [bound = bernoulli.p() * 0x1p32](uint32_t word) -> int64_t {
    return word < bound ? 1 : 0;
  });
}

void FillBagOffsets(int64_t* data, int64_t count, const PhiloxStream& stream,
                    const BagOffsets& bags) {
  int64_t offset = 0;
  for (int64_t element = 0; element < count; ++element) {
    data[element] = offset;
    offset += BagSize(bags, stream, element);
  }
}

// The golden ratio's share of 2^64: multiples of it, modulo 2^64, spread over the range as evenly
// as any.
constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;

void FillTimeSteps(int64_t* data, int64_t count, const TimeSteps& steps) {
  for (int64_t element = 0; element < count; ++element) {
    const uint64_t turns = kGoldenRatio * (static_cast<uint64_t>(element) + 1);
    data[element] = static_cast<int64_t>(PhiloxStream::Integer(
        static_cast<uint32_t>(turns >> 32), static_cast<uint64_t>(steps.limit())));
  }
}

void FillBoxes(int64_t* data, int64_t count, const PhiloxStream& stream, const Boxes& boxes) {
  DrawEach(data, count, stream, [](uint32_t word) -> int64_t { return word; });
  // The words first, since an edge's range begins at its opposite.
  for (int64_t element = 0; element < count; ++element) {
    const int64_t low = element % 4 < 2 ? 0 : data[element - 2];
    data[element] = low + static_cast<int64_t>(
                              PhiloxStream::Integer(static_cast<uint32_t>(data[element]),
                                                    static_cast<uint64_t>(boxes.limit() - low)));
  }
}

// A multiple of 2^-20 of at most 256: 2^-43 * 2^53 is beyond what a sum of two products reaches.
bool IsShortBinaryFraction(double value) {
  return std::abs(value) <= 256 && std::nearbyint(value * 0x1p20) == value * 0x1p20;
}

// Fills rows of the last dimension: `ones(row)` gives the half-open range that is 1, the rest is 0.
template <typename Ones>
void FillRows(int64_t* data, int64_t count, int64_t row_size, const Ones& ones) {
  for (int64_t element = 0; element < count; ++element) {
    const auto [first, last] = ones(element / row_size);
    const int64_t column = element % row_size;
    data[element] = column >= first && column < last ? 1 : 0;
  }
}

struct Range {
  int64_t first, last;
};

absl::Status SpecError(const TensorSpec& spec, std::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("input \"", spec.name(), "\": ", problem));
}

absl::Status CheckShape(const TensorSpec& spec) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 8;  // bytes must fit as well
  int64_t elements = 1;
  for (const int64_t size : spec.shape()) {
    if (size < 0 || (size > 0 && elements > kMost / size)) {
      return SpecError(
          spec, absl::StrCat("shape ", base::ShapeText(spec.shape()), " is negative or too large"));
    }
    elements *= size;
  }
  return absl::OkStatus();
}

// What MakeInput makes before it is rounded to the input's dtype: float32, or int64 with the values
// of IntegersOf(spec). The spec is without problem.
absl::Status Draw(const TensorSpec& spec, uint64_t seed, at::Tensor& tensor) {
  const std::string name = absl::StrCat("input:", spec.name());
  const std::vector<int64_t> shape(spec.shape().begin(), spec.shape().end());
  const PhiloxStream stream = StreamOf(spec, seed);
  const Distribution& distribution = spec.distribution();
  const std::optional<IntegerRange> range = IntegersOf(spec);
  tensor = at::empty(shape, range.has_value() ? at::kLong : at::kFloat);
  const int64_t count = tensor.numel();
  float* const floats = range.has_value() ? nullptr : tensor.mutable_data_ptr<float>();
  int64_t* const integers = range.has_value() ? tensor.mutable_data_ptr<int64_t>() : nullptr;
  const int64_t row_size = shape.empty() ? 1 : shape.back();
  // No default: a new kind then gives a compiler warning here and is never silently taken for
  // another.
  switch (distribution.kind_case()) {
    case Distribution::kUniform:
      if (distribution.uniform().low() == 0 && distribution.uniform().high() == 0)
        return Fill(tensor, seed, name, kUnitVariance);
      FillUniform(floats, count, stream, distribution.uniform());
      return absl::OkStatus();
    case Distribution::kNormal:
      FillNormal(floats, count, stream, distribution.normal());
      return absl::OkStatus();
    case Distribution::kIntegers:
      FillUniformIntegers(integers, count, stream, distribution.integers());
      if (distribution.integers().sorted() && !shape.empty()) tensor = std::get<0>(tensor.sort(-1));
      if (const int64_t run = distribution.integers().run(); run > 0)
        tensor.narrow(-1, 1, run).fill_(distribution.integers().limit());
      return absl::OkStatus();
    case Distribution::kZipf:
      FillZipf(integers, count, stream, distribution.zipf());
      return absl::OkStatus();
    case Distribution::kPrefixMask:
      FillRows(integers, count, row_size, [&](int64_t row) {
        const int64_t zeros = (row + 1) % 4 * (row_size / 8);
        return distribution.prefix_mask().at_end() ? Range{zeros, row_size}
                                                   : Range{0, row_size - zeros};
      });
      return absl::OkStatus();
    case Distribution::kSegments:
      FillRows(integers, count, row_size, [row_size](int64_t) {
        return Range{row_size / 2, row_size};
      });
      return absl::OkStatus();
    case Distribution::kBernoulli:
      FillBernoulli(integers, count, stream, distribution.bernoulli());
      return absl::OkStatus();
    case Distribution::kBagOffsets:
      FillBagOffsets(integers, count, stream, distribution.bag_offsets());
      return absl::OkStatus();
    case Distribution::kTimeSteps:
      FillTimeSteps(integers, count, distribution.time_steps());
      return absl::OkStatus();
    case Distribution::kBoxes:
      FillBoxes(integers, count, stream, distribution.boxes());
      return absl::OkStatus();
    case Distribution::KIND_NOT_SET:
      break;
  }
  return SpecError(spec, "no distribution");
}

}  // namespace

absl::Status Fill(const at::Tensor& tensor, uint64_t seed, std::string_view name,
                  const models::Init& init) {
  const auto error = [name](std::string_view problem) {
    return absl::InvalidArgumentError(absl::StrCat("filling \"", name, "\": ", problem));
  };
  if (!tensor.defined()) return error("the tensor is undefined");
  if (!tensor.device().is_cpu()) return error("the tensor must be on the CPU");
  if (!tensor.is_contiguous()) return error("the tensor must be contiguous");
  if (!std::isfinite(init.multiplier) || !IsShortBinaryFraction(init.offset) ||
      !IsShortBinaryFraction(init.slope)) {
    return error(absl::StrCat(
        "Init{", init.multiplier, ", ", init.offset, ", ", init.slope,
        "}: offset and slope must be short binary fractions such as (0, 1) or (1, 0.5); put other "
        "factors into the multiplier"));
  }
  const PhiloxStream stream(seed, name);
  switch (tensor.scalar_type()) {
    case c10::ScalarType::Float:
      FillFloats(tensor.mutable_data_ptr<float>(), tensor.numel(), stream, init);
      return absl::OkStatus();
    case c10::ScalarType::Double:
      FillFloats(tensor.mutable_data_ptr<double>(), tensor.numel(), stream, init);
      return absl::OkStatus();
    case c10::ScalarType::BFloat16:
      FillFloats(tensor.mutable_data_ptr<c10::BFloat16>(), tensor.numel(), stream, init);
      return absl::OkStatus();
    case c10::ScalarType::Half:
      FillFloats(tensor.mutable_data_ptr<c10::Half>(), tensor.numel(), stream, init);
      return absl::OkStatus();
    default:
      return error(absl::StrCat("only floating-point tensors are filled, not ",
                                c10::toString(tensor.scalar_type())));
  }
}

absl::StatusOr<at::Tensor> MakeInput(const TensorSpec& spec, Dtype case_dtype, uint64_t seed) {
  const Dtype dtype = spec.dtype() == Dtype::DTYPE_UNSPECIFIED ? case_dtype : spec.dtype();
  if (base::ToScalarType(dtype) == c10::ScalarType::Undefined) return SpecError(spec, "no dtype");
  if (absl::Status status = CheckShape(spec); !status.ok()) return status;
  TensorSpec resolved = spec;
  resolved.set_dtype(dtype);
  if (std::string problem = DistributionProblem(resolved); !problem.empty())
    return SpecError(spec, problem);
  absl::Status filled;
  at::Tensor tensor;
  const absl::Status caught =
      base::CatchTorch(absl::StrCat("making input \"", spec.name(), "\""), [&] {
        filled = Draw(resolved, seed, tensor);
        if (filled.ok()) tensor = tensor.to(base::ToScalarType(dtype));
      });
  if (!caught.ok()) return caught;
  if (!filled.ok()) return filled;
  return tensor;
}

}  // namespace assay::numerics

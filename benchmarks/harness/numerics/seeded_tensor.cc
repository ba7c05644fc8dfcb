#include "benchmarks/harness/numerics/seeded_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ATen/Parallel.h"
#include "ATen/core/Tensor.h"
#include "ATen/ops/empty.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/shape_text.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/philox.h"
#include "defs/suite.pb.h"
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

void FillTokens(int64_t* data, int64_t count, const PhiloxStream& stream, uint64_t limit) {
  ForEachRange(count, [&](int64_t begin, int64_t end) {
    ForEachWord(stream, begin, end, [data, limit](int64_t element, uint32_t word) {
      data[element] = static_cast<int64_t>(PhiloxStream::Integer(word, limit));
    });
  });
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

void FillIntegers(const TensorSpec& spec, const PhiloxStream& stream, at::Tensor& tensor) {
  int64_t* data = tensor.mutable_data_ptr<int64_t>();
  const int64_t count = tensor.numel();
  if (spec.fill() == Fill::TOKEN_IDS) {
    FillTokens(data, count, stream, static_cast<uint64_t>(spec.limit()));
    return;
  }
  const int64_t row_size = spec.shape(spec.shape_size() - 1);
  if (spec.fill() == Fill::PREFIX_MASK) {
    FillRows(data, count, row_size, [row_size](int64_t row) {
      return Range{0, row_size - (row + 1) % 4 * (row_size / 8)};
    });
  } else {
    FillRows(data, count, row_size, [row_size](int64_t) { return Range{row_size / 2, row_size}; });
  }
}

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

absl::Status CheckFill(const TensorSpec& spec, Dtype dtype) {
  const std::string dtype_name(base::DtypeName(dtype));
  switch (spec.fill()) {
    case Fill::UNIFORM:
      if (base::IsFloatingPoint(dtype)) return absl::OkStatus();
      return SpecError(spec, absl::StrCat("UNIFORM fills floating-point tensors, not ", dtype_name,
                                          "; use TOKEN_IDS with a limit"));
    case Fill::TOKEN_IDS: {
      if (dtype != Dtype::INT64 && dtype != Dtype::INT32) {
        return SpecError(spec,
                         absl::StrCat("TOKEN_IDS fills int64 or int32 tensors, not ", dtype_name));
      }
      const int64_t largest = dtype == Dtype::INT32 ? int64_t{1} << 31 : int64_t{1} << 32;
      if (spec.limit() >= 1 && spec.limit() <= largest) return absl::OkStatus();
      return SpecError(spec, absl::StrCat("limit ", spec.limit(), " of TOKEN_IDS is not in 1 .. ",
                                          largest, " for ", dtype_name));
    }
    case Fill::PREFIX_MASK:
    case Fill::SEGMENT_IDS:
      if (spec.shape_size() > 0) return absl::OkStatus();
      return SpecError(spec, absl::StrCat(Fill_Name(spec.fill()), " needs at least one dimension"));
    default:
      return SpecError(spec, "no fill; one of UNIFORM, TOKEN_IDS, PREFIX_MASK, SEGMENT_IDS");
  }
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
    default:
      return error(absl::StrCat("only float32 and float64 tensors are filled, not ",
                                c10::toString(tensor.scalar_type())));
  }
}

absl::StatusOr<at::Tensor> MakeInput(const TensorSpec& spec, Dtype case_dtype, uint64_t seed) {
  const Dtype dtype = spec.dtype() == Dtype::DTYPE_UNSPECIFIED ? case_dtype : spec.dtype();
  if (base::ToScalarType(dtype) == c10::ScalarType::Undefined) return SpecError(spec, "no dtype");
  if (absl::Status status = CheckShape(spec); !status.ok()) return status;
  if (absl::Status status = CheckFill(spec, dtype); !status.ok()) return status;

  const std::string stream_name = absl::StrCat("input:", spec.name());
  const bool floats = spec.fill() == Fill::UNIFORM;
  absl::Status filled;
  at::Tensor tensor;
  const absl::Status caught =
      base::CatchTorch(absl::StrCat("making input \"", spec.name(), "\""), [&] {
        const std::vector<int64_t> shape(spec.shape().begin(), spec.shape().end());
        tensor = at::empty(shape, floats ? at::kFloat : at::kLong);
        if (floats) {
          filled = Fill(tensor, seed, stream_name, kUnitVariance);
        } else {
          FillIntegers(spec, PhiloxStream(seed, stream_name), tensor);
        }
        tensor = tensor.to(base::ToScalarType(dtype));
      });
  if (!caught.ok()) return caught;
  if (!filled.ok()) return filled;
  return tensor;
}

}  // namespace assay::numerics

#include "defs/case/distributions.h"

#include <cmath>
#include <limits>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"

namespace assay {
namespace {

// One 32-bit word is drawn for each integer, so a range has at most this many.
constexpr uint64_t kWords = uint64_t{1} << 32;

bool IsFloat(Dtype dtype) {
  return dtype == FP32 || dtype == FP64 || dtype == BF16 || dtype == FP16;
}

std::string DtypeText(Dtype dtype) { return absl::AsciiStrToLower(Dtype_Name(dtype)); }

int64_t ElementsOf(const TensorSpec& spec) {
  int64_t elements = 1;
  for (const int64_t size : spec.shape()) elements *= size;
  return elements;
}

// The integers that the dtype holds; an empty range for a dtype that is no integer.
IntegerRange RangeOf(Dtype dtype) {
  switch (dtype) {
    case BOOL:
      return {0, 2};
    case INT8:
      return {-128, 128};
    case UINT8:
      return {0, 256};
    case INT32:
      return {std::numeric_limits<int32_t>::min(), int64_t{1} << 31};
    case INT64:
      return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
    default:
      return {0, 0};
  }
}

// Checks floats; they may have any float dtype.
std::string FloatProblem(const TensorSpec& spec, std::string_view name) {
  if (IsFloat(spec.dtype())) return "";
  return absl::StrCat(name, " gives floats, not ", DtypeText(spec.dtype()),
                      "; integers have integers, zipf, prefix_mask, segments, bernoulli, "
                      "bag_offsets, time_steps and boxes");
}

std::string IntegerProblem(const TensorSpec& spec, std::string_view name, IntegerRange range) {
  const uint64_t count = static_cast<uint64_t>(range.limit) - static_cast<uint64_t>(range.low);
  if (range.limit <= range.low || count > kWords) {
    return absl::StrCat(name, " gives integers from ", range.low, " to below limit ", range.limit,
                        "; there must be 1 to ", kWords, " of them");
  }
  const IntegerRange of_dtype = RangeOf(spec.dtype());
  if (of_dtype.limit == 0) {
    return absl::StrCat(name, " gives integers, not ", DtypeText(spec.dtype()),
                        "; set the input's dtype to INT64, INT32, INT8, UINT8 or BOOL");
  }
  if (range.low >= of_dtype.low && range.limit <= of_dtype.limit) return "";
  return absl::StrCat(name, " gives integers from ", range.low, " to below limit ", range.limit,
                      "; ", DtypeText(spec.dtype()), " holds ", of_dtype.low, " to below ",
                      of_dtype.limit);
}

std::string UniformProblem(const TensorSpec& spec, const Uniform& uniform) {
  if (!std::isfinite(uniform.low()) || !std::isfinite(uniform.high()) ||
      (uniform.low() >= uniform.high() && (uniform.low() != 0 || uniform.high() != 0))) {
    return absl::StrCat("uniform from ", uniform.low(), " to below ", uniform.high(),
                        "; low must be less than high, or both 0 for mean 0 and standard "
                        "deviation 1");
  }
  return FloatProblem(spec, "uniform");
}

std::string NormalProblem(const TensorSpec& spec, const Normal& normal) {
  if (!std::isfinite(normal.mean()) || !std::isfinite(normal.stddev()) || normal.stddev() < 0) {
    return absl::StrCat("normal with mean ", normal.mean(), " and stddev ", normal.stddev(),
                        "; both must be finite and stddev not negative (0 stands for 1)");
  }
  return FloatProblem(spec, "normal");
}

// The limit itself is drawn by no element, and stands in a run alone.
IntegerRange RangeOf(const Integers& integers) {
  const bool is_there =
      integers.run() > 0 && integers.limit() < std::numeric_limits<int64_t>::max();
  return {integers.low(), integers.limit() + (is_there ? 1 : 0)};
}

std::string IntegersProblem(const TensorSpec& spec, const Integers& integers) {
  const int64_t row = spec.shape().empty() ? 0 : spec.shape(spec.shape_size() - 1);
  if (integers.run() < 0 || (integers.run() > 0 && (integers.run() >= row || integers.sorted()))) {
    return absl::StrCat("integers has run ", integers.run(), " in ",
                        integers.sorted() ? "sorted rows" : "rows", " of ", row,
                        " elements; it begins at the second one of a row, must end within the row, "
                        "and sorted rows have none");
  }
  return IntegerProblem(spec, "integers", RangeOf(integers));
}

std::string ZipfProblem(const TensorSpec& spec, const Zipf& zipf) {
  const double quarters = zipf.exponent() * 4;
  if (!(zipf.exponent() > 0 && zipf.exponent() <= kLargestZipfExponent) ||
      quarters != std::floor(quarters)) {
    return absl::StrCat("zipf has exponent ", zipf.exponent(), "; a multiple of 0.25 from 0.25 to ",
                        kLargestZipfExponent,
                        " is allowed, so that every machine computes the same weights");
  }
  if (zipf.limit() > kLongestZipf) {
    return absl::StrCat("zipf has limit ", zipf.limit(), "; at most ", kLongestZipf,
                        " are allowed, since it keeps a table of them");
  }
  return IntegerProblem(spec, "zipf", {0, zipf.limit()});
}

std::string MaskProblem(const TensorSpec& spec, std::string_view name) {
  if (spec.shape_size() > 0) return "";
  return absl::StrCat(name, " needs at least one dimension");
}

std::string BernoulliProblem(const Bernoulli& bernoulli) {
  if (bernoulli.p() >= 0 && bernoulli.p() <= 1) return "";
  return absl::StrCat("bernoulli has p ", bernoulli.p(), "; 0 to 1 is allowed");
}

std::string BagOffsetsProblem(const TensorSpec& spec, const BagOffsets& bags) {
  const int64_t elements = ElementsOf(spec);
  if (bags.bag_size() < 1 || elements < 1 ||
      static_cast<uint64_t>(bags.bag_size()) > kWords / static_cast<uint64_t>(elements)) {
    return absl::StrCat("bag_offsets has bag_size ", bags.bag_size(), " and ", elements,
                        " bags; both must be positive, their product at most ", kWords);
  }
  if (bags.spread() < 0 || bags.spread() > bags.bag_size()) {
    return absl::StrCat("bag_offsets has spread ", bags.spread(), "; 0 to bag_size, ",
                        bags.bag_size(), ", is allowed");
  }
  return IntegerProblem(spec, "bag_offsets", {0, elements * bags.bag_size()});
}

std::string BoxesProblem(const TensorSpec& spec, const Boxes& boxes) {
  const int rank = spec.shape_size();
  if (rank == 0 || spec.shape(rank - 1) != 4)
    return "boxes needs a last dimension of 4: left, upper, right and lower edge";
  return IntegerProblem(spec, "boxes", {0, boxes.limit()});
}

}  // namespace

std::optional<IntegerRange> IntegersOf(const TensorSpec& spec) {
  const Distribution& distribution = spec.distribution();
  switch (distribution.kind_case()) {
    case Distribution::kUniform:
    case Distribution::kNormal:
    case Distribution::KIND_NOT_SET:
      return std::nullopt;
    case Distribution::kIntegers:
      return RangeOf(distribution.integers());
    case Distribution::kZipf:
      return IntegerRange{0, distribution.zipf().limit()};
    case Distribution::kPrefixMask:
    case Distribution::kSegments:
    case Distribution::kBernoulli:
      return IntegerRange{0, 2};
    case Distribution::kBagOffsets:
      return IntegerRange{0, ElementsOf(spec) * distribution.bag_offsets().bag_size()};
    case Distribution::kTimeSteps:
      return IntegerRange{0, distribution.time_steps().limit()};
    case Distribution::kBoxes:
      return IntegerRange{0, distribution.boxes().limit()};
  }
  return std::nullopt;
}

PhiloxStream StreamOf(const TensorSpec& spec, uint64_t seed) {
  return {seed, absl::StrCat("input:", spec.name())};
}

int64_t BagSize(const BagOffsets& bags, const PhiloxStream& stream, int64_t bag) {
  if (bags.spread() == 0) return bags.bag_size();
  const auto fewer = PhiloxStream::Integer(stream.Word(static_cast<uint64_t>(bag)),
                                           static_cast<uint64_t>(bags.spread()) + 1);
  return bags.bag_size() - static_cast<int64_t>(fewer);
}

bool AreLengths(const Distribution& distribution) {
  const Integers& integers = distribution.integers();
  return distribution.has_integers() && integers.low() >= 0 && !integers.sorted() &&
         integers.run() == 0;
}

std::optional<int64_t> ElementsOfBags(const TensorSpec& spec, uint64_t seed) {
  const Distribution& distribution = spec.distribution();
  const Integers& lengths = distribution.integers();
  if (!spec.bags().empty() || !DistributionProblem(spec).empty()) return std::nullopt;
  if (!distribution.has_bag_offsets() && !AreLengths(distribution)) return std::nullopt;
  const int64_t bags = ElementsOf(spec);
  if (bags > kMostBags) return std::nullopt;
  const PhiloxStream stream = StreamOf(spec, seed);
  const auto width = static_cast<uint64_t>(lengths.limit() - lengths.low());
  int64_t sum = 0;
  for (int64_t element = 0; element < bags; ++element) {
    const int64_t size =
        distribution.has_bag_offsets()
            ? BagSize(distribution.bag_offsets(), stream, element)
            : lengths.low() + static_cast<int64_t>(PhiloxStream::Integer(
                                  stream.Word(static_cast<uint64_t>(element)), width));
    if (__builtin_add_overflow(sum, size, &sum)) return std::nullopt;
  }
  return sum;
}

std::string DistributionProblem(const TensorSpec& spec) {
  const Distribution& distribution = spec.distribution();
  switch (distribution.kind_case()) {
    case Distribution::kUniform:
      return UniformProblem(spec, distribution.uniform());
    case Distribution::kNormal:
      return NormalProblem(spec, distribution.normal());
    case Distribution::kIntegers:
      return IntegersProblem(spec, distribution.integers());
    case Distribution::kZipf:
      return ZipfProblem(spec, distribution.zipf());
    // Zeros and ones are exact in every dtype.
    case Distribution::kPrefixMask:
      return MaskProblem(spec, "prefix_mask");
    case Distribution::kSegments:
      return MaskProblem(spec, "segments");
    case Distribution::kBernoulli:
      return BernoulliProblem(distribution.bernoulli());
    case Distribution::kBagOffsets:
      return BagOffsetsProblem(spec, distribution.bag_offsets());
    case Distribution::kTimeSteps:
      return IntegerProblem(spec, "time_steps", {0, distribution.time_steps().limit()});
    case Distribution::kBoxes:
      return BoxesProblem(spec, distribution.boxes());
    case Distribution::KIND_NOT_SET:
      break;
  }
  return "it has no distribution; one of uniform, normal, integers, zipf, prefix_mask, segments, "
         "bernoulli, bag_offsets, time_steps, boxes";
}

std::string DistributionName(const Distribution& distribution) {
  const google::protobuf::FieldDescriptor* field =
      Distribution::descriptor()->FindFieldByNumber(distribution.kind_case());
  return field == nullptr ? "none" : field->name();
}

}  // namespace assay

// File: distributions.h
//
// Checks a TensorSpec's distribution and says which integers it can give. Used by the build
// (case_resolution), for making inputs (numerics/seeded_tensor) and for checking a user's inputs
// (runner/given/given_files).
//
//   std::string problem = DistributionProblem(spec);       // "zipf needs …"; empty: nothing is wrong
//   std::optional<IntegerRange> range = IntegersOf(spec);  // nullopt: floats
//   std::optional<int64_t> elements = ElementsOfBags(spec, /*seed=*/0);  // of lengths, of offsets
#ifndef ASSAY_DEFS_CASE_DISTRIBUTIONS_H_
#define ASSAY_DEFS_CASE_DISTRIBUTIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "defs/case/philox.h"
#include "defs/proto/suite.pb.h"

namespace assay {

// A zipf distribution keeps a table of this many sums at most (128 MiB of float64).
inline constexpr int64_t kLongestZipf = int64_t{1} << 24;

// Beyond it, (k + 1)^exponent no longer fits a double for every k of the longest table.
inline constexpr double kLargestZipfExponent = 8;

// Each is drawn where a case is resolved.
inline constexpr int64_t kMostBags = int64_t{1} << 24;

struct IntegerRange {
  int64_t low = 0;
  int64_t limit = 0;  // exclusive
};

// The integers that a tensor may hold; nullopt if its distribution gives floats or is not set. The
// spec must be without problem.
std::optional<IntegerRange> IntegersOf(const TensorSpec& spec);

// The numbers of which an input is drawn.
PhiloxStream StreamOf(const TensorSpec& spec, uint64_t seed);

// The number of elements of one bag; draws only where sizes differ.
int64_t BagSize(const BagOffsets& bags, const PhiloxStream& stream, int64_t bag);

// Whether the values can be lengths of bags: integers, neither negative nor sorted.
bool AreLengths(const Distribution& distribution);

// The number of elements of all bags that a resolved input describes by their lengths (integers,
// none negative) or by their offsets; nullopt for an input that does neither, whose own size
// depends on bags, or that has more than kMostBags bags.
std::optional<int64_t> ElementsOfBags(const TensorSpec& spec, uint64_t seed);

// The reason why no tensor can be made from the spec, as a sentence that says what is allowed;
// empty if one can. The spec's dtype must be resolved, its limits must be numbers.
std::string DistributionProblem(const TensorSpec& spec);

// "uniform", "zipf", as in suite.proto and in the case tables; "none" if it is not set.
std::string DistributionName(const Distribution& distribution);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_DISTRIBUTIONS_H_

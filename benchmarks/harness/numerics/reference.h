#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_REFERENCE_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_REFERENCE_H_

// ---------------------------------------------------------------------------------------------
// reference.h: the reference outputs of a case as a blob of bytes, without LibTorch.
//
// A reference is a safetensors file (artifacts/format/reference_blob.py writes the same).
// For each output NAME it holds
//   NAME          F64 or F32  the whole output, where it has at most SampleSize(NAME, shape)
//                             elements, otherwise a sample:
//   NAME#2x1000   F64 or F32  of an output of that shape the elements at SampleIndices(NAME, shape)
// and for all of them
//   #stats        F64 [n, 4]  a row for each output, sorted by name: mean, population standard
//                             deviation, L2 norm, max |x| of the whole, before its values were
//                             rounded to F32
// F32 is for cases in bf16 and fp16, whose limits (1e-2 of the standard deviation and more) are far
// above its rounding. The metadata has "format": "assay-reference-3", and says in "provenance" who
// computed it. Older formats are refused; their blobs are made anew.
//
// A blob is used only if its sha256 equals the one in the lock and its parts agree with each other:
// a reference that holds NaN, or statistics of other values, is an error here and never a
// comparison that passes.
//
// Rows do not depend on one another, and the rows of a small batch are the first of a large one, so
// a reference serves cases of fewer rows, and of more, where each row gets the inputs of one of the
// reference's (Rows).
//
// Not for: comparing (comparison.h) or making references from tensors (reference_writer.h).
//
// Example:
//   absl::StatusOr<ReferenceOutputs> reference = ReadReference(path, sha256);
//   if (!reference.ok()) return ReferenceOutcome(reference.status());
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "defs/proto/record.pb.h"

namespace assay::numerics {

inline constexpr std::string_view kReferenceFormat = "assay-reference-3";

// Fewer elements than this are no sample of a row: n errors tell their root mean square within
// 1/sqrt(2n), one standard error of it, which is 4.4 % for 256 and 3.1 % for 512.
inline constexpr int64_t kFewestSampled = 256;

// The name of an output of boxes (models/detector.h).
inline constexpr std::string_view kDetections = "detections";

// How many elements of an output are kept: all of a smaller one, a sample of a larger one. 512, or
// of 2 to 8 rows 256 each, so that each row can be compared without the others. Of the numbers of
// training steps ("step1.gradients", "adam.step3.loss"), of which a blob has about twenty and no row
// is ever compared alone, 64 (9 %), but 256 of norms, of which there is one for each tensor.
// All of the boxes that a detector finds, which are compared as a set.
int64_t SampleSize(std::string_view name, const std::vector<int64_t>& shape);

// An element that is NaN or infinite.
struct NonfiniteElement {
  int64_t index = 0;  // flat row-major
  double value = 0;
};

struct ReferenceOutput {
  std::string name;
  std::vector<int64_t> shape;
  bool sampled = false;
  bool float32 = false;          // `values` were rounded to it, `stats` were not
  std::vector<int64_t> indices;  // flat row-major; of a whole output without NaN or infinity: empty
  std::vector<double> values;    // at `indices`, or all; finite
  // The elements of a whole output that are not among `values`, sorted by index. A model may give
  // infinity on purpose, for a masked logit. No blob has any.
  std::vector<NonfiniteElement> nonfinite = {};
  OutputStats stats;             // of all that are finite, unless:
  bool stats_of_sample = false;  // `stats` are those of `values`; those of all elements are unknown

  bool HasIndices() const { return sampled || !nonfinite.empty(); }
};

struct ReferenceOutputs {
  std::vector<ReferenceOutput> outputs;         // sorted by name
  std::map<std::string, std::string> metadata;  // "format", "provenance", ...
  std::string sha256;                           // of the blob; empty for one that was never bytes

  // nullptr where there is none.
  const ReferenceOutput* Find(std::string_view name) const;
};

// Elements of a shape; DataLoss where it is negative or too large.
absl::StatusOr<int64_t> ElementsOf(const std::vector<int64_t>& shape);

// The SampleSize(name, shape) flat indices at which outputs of more elements than that are kept:
// distinct values (word * elements) >> 32 of the PhiloxStream (0, "sample:" + name), in the order of
// the stream until there are so many, or so many of each row, then sorted. A function of name and
// shape alone, so blobs of one output stay comparable. InvalidArgument above 2^32 elements.
absl::StatusOr<std::vector<int64_t>> SampleIndices(std::string_view name,
                                                   const std::vector<int64_t>& shape);

// DataLoss, naming the output, unless its parts fit together, and `values` and `stats` are finite.
absl::Status Validate(const ReferenceOutput& output);

// The reference of a batch whose row i has the inputs of the reference's row rows[i]: these rows of
// each output in `batched`, whose first dimension is the batch, and all of the others. A whole
// output stays whole and gets statistics of its own. A sampled output keeps those of its elements
// that lie in these rows, and their statistics (stats_of_sample), since the elements between them
// are unknown. Outputs of exactly these rows in this order are left as they are; names that the
// reference lacks are ignored. InvalidArgument, naming the output and the fix, if it lacks a row,
// has no rows at all, or fewer than kFewestSampled kept elements in them.
absl::StatusOr<ReferenceOutputs> Rows(const ReferenceOutputs& reference,
                                      const std::vector<int64_t>& rows,
                                      const std::vector<std::string>& batched);

// The blob's bytes; InvalidArgument where an output is not valid, two have one name, or a sample is
// not the one that the format prescribes. "format" is added to the metadata.
absl::StatusOr<std::string> SerializeReference(const ReferenceOutputs& reference);

// Everything but the digest check. DataLoss where the blob is damaged.
absl::StatusOr<ReferenceOutputs> ParseReference(std::string_view bytes);

// Reads the file once, checks its digest, then parses the same bytes. NotFound where there is no
// file or `expected_sha256` is empty (no row in the lock); DataLoss, with both digests, where they
// differ, and where the blob is malformed.
absl::StatusOr<ReferenceOutputs> ReadReference(const std::string& path,
                                               std::string_view expected_sha256);

// PASS for OK, FAIL_ARTIFACT where the reference is there but damaged (DataLoss, InvalidArgument,
// OutOfRange), ARTIFACT_UNAVAILABLE where it could not be had.
Outcome ReferenceOutcome(const absl::Status& status);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_REFERENCE_H_

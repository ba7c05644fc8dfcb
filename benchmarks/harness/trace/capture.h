#ifndef ASSAY_BENCHMARKS_HARNESS_TRACE_CAPTURE_H_
#define ASSAY_BENCHMARKS_HARNESS_TRACE_CAPTURE_H_

// ---------------------------------------------------------------------------------------------
// capture.h: writes the operators that a program calls, with their arguments and results, to an
// execution trace.
//
// The file has schema 1.1.1-chakra.0.0.4 of LibTorch's ExecutionTraceObserver, which et_replay, HTA
// and Chakra's tools read. Tensors and storages have numbers of their own (identities.h), numbers all
// their digits, lists all their elements (node_text.h). An operator that throws is a node too. What
// the schema has no place for stands in attributes that its readers pass over:
//   start_ns, duration_ns  of an equal call without this recorder (operator_times.h)
//   wrapped_numbers        {"1":0.5}: input tensors that are numbers, by their place among the tensors
//   throws                 "true": the operator ended by an exception
// and with `values`
//   output_digests         ["0123456789abcdef"]: SHA-256 of each output's elements, row-major, the
//                          first 16 digits; "" where the elements are nobody's (aten::empty). Of an
//                          operator that returns nothing: of what its schema says that it writes to
//   output_samples         [[[0,1.5],[7,2.0]]]: places and values of up to 8 elements of each output
//   generator_states       {"3":"0f..."}: the state of a generator that is an argument, in hex digits
//   snapshots              {"0":"storage/7/12"}: input tensors whose storage no recorded operator had
//                          filled; its bytes are in the file beside, <name>.values.safetensors
// The file's "generators" holds the state of LibTorch's CPU generator at the start, in hex digits.
//
// Calls while a capture runs are slower: their times say nothing. Without values a node costs 1.3 to 2.1 us
// of processor time on an AMD EPYC, and 4.8 to 8.2 us with LibTorch's observer (capture_benchmark.cc).
//
// Example, in a program of your own:
//   auto capture = trace::Capture::Start({.path = "step.json", .values = true});
//   if (!capture.ok()) ...
//   step();
//   absl::StatusOr<trace::Captured> captured = (*capture)->Finish();
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/harness/trace/operator_times.h"

namespace assay::trace {

struct CaptureOptions {
  std::string path;  // ends with .json
  bool values = false;
  OperatorTimes times;  // of an equal call; may be empty
};

struct Captured {
  int64_t nodes = 0;
  int64_t operators = 0;    // nodes with a schema
  std::string values_path;  // empty: there is none
};

class Capture {
 public:
  // From now on every thread's operators are recorded, until Finish(). InvalidArgument for a path
  // that does not end with .json; FailedPrecondition while another capture runs; Unavailable,
  // PermissionDenied where the file cannot be written.
  static absl::StatusOr<std::unique_ptr<Capture>> Start(CaptureOptions options);

  // Without Finish() there is no file.
  virtual ~Capture() = default;

  // Ends the recording; the file has its name from now on. ResourceExhausted if the disk is full.
  // The first error of the recording, such as an argument that could not be written down.
  virtual absl::StatusOr<Captured> Finish() = 0;
};

}  // namespace assay::trace

#endif  // ASSAY_BENCHMARKS_HARNESS_TRACE_CAPTURE_H_

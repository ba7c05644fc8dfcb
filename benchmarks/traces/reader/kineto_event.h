#ifndef ASSAY_BENCHMARKS_TRACES_READER_KINETO_EVENT_H_
#define ASSAY_BENCHMARKS_TRACES_READER_KINETO_EVENT_H_

// ---------------------------------------------------------------------------------------------
// kineto_event.h: the JSON text of one event of torch.profiler's trace, in Google's "Trace Event
// Format" with the categories and arguments of PyTorch's Kineto (libkineto, output_json.cpp).
//
// Arguments of operators are tensors without identity (each has an id of its own, below zero), lists
// of them, and values of kind kLost whose text is what the profiler printed: "1e-08", "[1, 1]",
// "False". kineto_schema.h gives those their types. Lists of more than 30 elements, strings, devices
// and None all have an empty text. Tensors in lists have no dtype, and no tensor has a device.
//
// Example:
//   absl::StatusOr<KinetoEvent> event = ParseEvent(text);
//   if (event->kind == KinetoEvent::Kind::kNode) Take(event->node);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

struct KinetoEvent {
  enum class Kind {
    kOther,     // metadata, flows, memory, functions of Python
    kNode,      // an operator, a range of the program, or a module of torch.nn
    kLaunch,    // a call of CUDA's runtime or driver
    kKernel,    // what a GPU did
    kNoLength,  // one of these whose length is missing or negative; it has a name and no times
  };
  Kind kind = Kind::kOther;
  TraceNode node = {};  // name, times, arguments; neither id nor parent
  bool memory = false;  // of a kernel: it is a copy or a fill
  std::string thread = {};
  int64_t external_id = 0, correlation = 0, device = -1, stream = -1;
};

// `with_values`: the arguments, too. InvalidArgument, naming the event and the value.
absl::StatusOr<KinetoEvent> ParseEvent(std::string_view text, bool with_values = true);

// Bytes of an element of a dtype as traces spell it; 0: not known.
int64_t ElementSizeOf(std::string_view dtype);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_KINETO_EVENT_H_

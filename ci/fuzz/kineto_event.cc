// Events of torch.profiler's traces: a printable error, or an event whose times and sizes are possible.
#include "benchmarks/traces/reader/kineto_event.h"

#include <cstdint>

#include "ci/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::traces;
  using assay::fuzz::Require;
  const absl::StatusOr<KinetoEvent> event = ParseEvent(assay::fuzz::Input(data, size));
  if (!event.ok()) {
    assay::fuzz::RequireMessage(event.status().message());
    return 0;
  }
  const TraceNode& node = event->node;
  if (event->kind != KinetoEvent::Kind::kOther) {
    Require(node.start_ns >= 0 && node.duration_ns >= 0, "no time is negative");
    Require(node.start_ns <= INT64_MAX - node.duration_ns, "an event ends");
  }
  ForEachTensor(node.inputs, [](const TraceTensor& tensor) {
    int64_t elements = 1;
    for (const int64_t extent : tensor.sizes) {
      Require(extent >= 0 && !__builtin_mul_overflow(elements, extent, &elements),
              "a size is possible");
    }
    Require(elements == tensor.elements, "the sizes are those of the elements");
    Require(!tensor.has_strides || tensor.strides.size() == tensor.sizes.size(), "a stride a size");
  });
  return 0;
}

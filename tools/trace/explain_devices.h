#ifndef ASSAY_TOOLS_TRACE_EXPLAIN_DEVICES_H_
#define ASSAY_TOOLS_TRACE_EXPLAIN_DEVICES_H_

// ---------------------------------------------------------------------------------------------
// explain_devices.h: what a trace says about its GPUs, as text and as JSON. device_times.h has the
// definitions.
//
// Example:
//   std::cout << DevicesText(trace, /*most=*/15);
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <string>

#include "benchmarks/traces/reader/trace_file.h"
#include "nlohmann/json.hpp"

namespace assay::trace {

// A part for each device, and a table of the `most` kernels that took the most time. "" without kernels.
std::string DevicesText(const traces::Trace& trace, size_t most);

// Adds "devices" and "kernels".
void AddDevices(const traces::Trace& trace, size_t most, nlohmann::ordered_json& all);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_EXPLAIN_DEVICES_H_

// -----------------------------------------------------------------------------
// File: suite_machine.h
// -----------------------------------------------------------------------------
//
// The machine as a suite sees it before it starts anything: for fingerprints, and for the records of
// processes that left none.
//
//   Environment cpu = MachineFor(CPU, {"OMP_NUM_THREADS=1"});

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SUITE_MACHINE_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SUITE_MACHINE_H_

#include <string>
#include <vector>

#include "defs/proto/record.pb.h"

namespace assay::suite {

// The machine, with `variables` ("NAME=value") added to this process's. With CUDA, name and driver
// of the GPU if the driver gives them.
Environment MachineFor(DeviceType device, const std::vector<std::string>& variables);

// The device that a case's runner will use with these flags, in a build with those.
DeviceType DeviceOf(const std::vector<std::string>& flags, const std::string& build_flags);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SUITE_MACHINE_H_

// -----------------------------------------------------------------------------
// File: memory_group.h
// -----------------------------------------------------------------------------
//
// A control group (cgroup v2) that limits the memory of the processes that are put into it:
// resident memory of all of them together, without swap. At the limit, the kernel ends them and
// counts it.
//
// Making one needs the system's permission: root has it, and so do most systemd sessions. Elsewhere
// a limit on a process's data (ChildLimits::data_bytes) takes its place.
//
// Not for GPUs' memory.
//
//   absl::StatusOr<MemoryGroup> group = MemoryGroup::Make(/*bytes=*/int64_t{2} << 30);
//   if (group.ok()) command.limits.control_group = group->folder();

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_MEMORY_GROUP_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_MEMORY_GROUP_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace assay::suite {

class MemoryGroup {
 public:
  // Makes the group beside this process's own, or inside it. Unavailable, with the reason, where
  // neither is possible. `root` stands before /proc and /sys.
  static absl::StatusOr<MemoryGroup> Make(int64_t bytes, const std::string& root = "");

  MemoryGroup(MemoryGroup&& other) noexcept;
  MemoryGroup& operator=(MemoryGroup&&) = delete;
  ~MemoryGroup();  // removes the group

  const std::string& folder() const { return folder_; }

 private:
  explicit MemoryGroup(std::string folder);

  std::string folder_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_MEMORY_GROUP_H_

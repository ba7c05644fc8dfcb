// -----------------------------------------------------------------------------
// File: device_lease.h
// -----------------------------------------------------------------------------
//
// Reserves devices: a lock file for each CPU and for each GPU, in a folder of the user's. A process
// that times takes its locks exclusively; a process that only compares outputs shares them.
//
// The kernel holds the locks (flock), so that they end with the process that took them, however it
// ends. It does not give them to its children: what a child leaves behind would hold them. Files are
// locked in the order of their names, so that two who want several never wait for each other. Who
// waits longest has the next turn: it holds a second file, DEVICE.next, for which others wait.
//
// Not for limiting what a process may use: it is a promise among programs that ask. Not across
// users or machines either.
//
//   absl::StatusOr<std::string> folder = LeaseFolder();
//   absl::StatusOr<DeviceLease> lease = DeviceLease::Take(
//       {.folder = *folder, .devices = CpuNames({0, 1}), .who = "mlp_fp32_b1"}, &interrupted,
//       [](std::string_view text) { std::cerr << text << "\n"; });

#ifndef ASSAY_TOOLS_LEASE_DEVICE_LEASE_H_
#define ASSAY_TOOLS_LEASE_DEVICE_LEASE_H_

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay::lease {

// The variable by which a program that holds a lease tells its children that they need none.
inline constexpr char kHeldVariable[] = "ASSAY_LEASE";

struct LeaseRequest {
  std::string folder = {};
  std::vector<std::string> devices = {};  // names of files
  bool shared = false;
  std::string who = {};  // what others are told who wait
  absl::Duration patience = absl::InfiniteDuration();
};

class DeviceLease {
 public:
  // Waits until all are free. `waiting` is told for whom, at once and then every minute. Cancelled
  // once *interrupted is true, DeadlineExceeded after `patience`, else what the file system gives.
  static absl::StatusOr<DeviceLease> Take(const LeaseRequest& request,
                                          const std::atomic<bool>* interrupted,
                                          absl::FunctionRef<void(std::string_view)> waiting);

  DeviceLease(DeviceLease&& other) noexcept;
  DeviceLease& operator=(DeviceLease&&) = delete;
  ~DeviceLease();

  // For a program that this process becomes (exec).
  const std::vector<int>& descriptors() const { return descriptors_; }

 private:
  DeviceLease() = default;

  std::vector<int> descriptors_;
};

// $XDG_RUNTIME_DIR/assay, or assay-<user id> in the folder for temporary files; made where it is
// not there. PermissionDenied where somebody else made it.
absl::StatusOr<std::string> LeaseFolder();

// "cpu-0", "cpu-1"; for none, those that this process may run on.
std::vector<std::string> CpuNames(const std::vector<int>& cpus);

// The devices that a case's runner uses with these flags: for --device=cuda the GPU that CUDA will
// call 0, else the CPUs. A GPU that the driver does not report is named "gpu-0".
std::vector<std::string> DevicesOf(const std::vector<std::string>& flags,
                                   const std::vector<int>& cpus);

// Whether such a run times nothing: --action=verify, --action=smoke.
bool OnlyCompares(const std::vector<std::string>& flags);

}  // namespace assay::lease

#endif  // ASSAY_TOOLS_LEASE_DEVICE_LEASE_H_

#include "tools/lease/device_lease.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/environment/facts/nvml.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::lease {
namespace {

// Whether the path still names the file that is open: a cleaner of temporary files may have removed
// it, and the next one to come would lock another.
bool StillThere(int file, const std::string& path) {
  struct stat open_file, named;
  return fstat(file, &open_file) == 0 && stat(path.c_str(), &named) == 0 &&
         open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

std::string HolderOf(int file) {
  std::array<char, 256> text;
  const ssize_t bytes = pread(file, text.data(), text.size(), 0);
  if (bytes <= 0) return "somebody";
  return base::Printable(std::string_view(text.data(), bytes), 200);
}

void SetHolder(int file, const std::string& who) {
  const std::string text =
      absl::StrCat("process ", getpid(), " (", who, ", since ",
                   absl::FormatTime("%H:%M:%S", absl::Now(), absl::LocalTimeZone()), ")");
  // It is only for people: a disk that takes no more is no reason not to measure.
  if (ftruncate(file, 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(file, text.data(), text.size(), 0);
  }
}

// Tells for whom it waits, at once and then every minute.
class Waiting {
 public:
  Waiting(const LeaseRequest& request, const std::atomic<bool>* interrupted,
          absl::FunctionRef<void(std::string_view)> tell)
      : request_(request), interrupted_(interrupted), tell_(tell) {}

  absl::Status Pause(const std::string& device, int file) {
    const absl::Duration now = base::SteadyNow();
    if (interrupted_ != nullptr && *interrupted_) return absl::CancelledError("interrupted");
    if (now - start_ >= request_.patience) {
      return absl::DeadlineExceededError(absl::StrCat(device, " was not free within ",
                                                      absl::FormatDuration(request_.patience),
                                                      ": held by ", HolderOf(file)));
    }
    if (now >= next_) {
      tell_(absl::StrCat("waiting for ", device, ", held by ", HolderOf(file)));
      next_ = now + absl::Minutes(1);
    }
    absl::SleepFor(absl::Milliseconds(50));
    return absl::OkStatus();
  }

 private:
  const LeaseRequest& request_;
  const std::atomic<bool>* const interrupted_;
  const absl::FunctionRef<void(std::string_view)> tell_;
  const absl::Duration start_ = base::SteadyNow();
  absl::Duration next_ = start_;
};

absl::StatusOr<int> Lock(const std::string& path, const std::string& device, bool shared,
                         Waiting& waiting) {
  while (true) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return absl::ErrnoToStatus(errno, absl::StrCat("lock file ", path));
    while (flock(file, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
      const int error = errno;
      absl::Status paused = error == EWOULDBLOCK || error == EINTR
                                ? waiting.Pause(device, file)
                                : absl::ErrnoToStatus(error, absl::StrCat("cannot lock ", path));
      if (paused.ok()) continue;
      close(file);
      return paused;
    }
    if (StillThere(file, path)) return file;
    close(file);
  }
}

bool HasFlag(const std::vector<std::string>& flags, std::string_view name, std::string_view value) {
  bool has = false;
  for (size_t i = 0; i < flags.size(); ++i) {
    std::string_view flag = flags[i];
    while (!flag.empty() && flag[0] == '-') flag.remove_prefix(1);
    if (flag == name) {
      has = i + 1 < flags.size() && flags[i + 1] == value;
    } else if (absl::StartsWith(flag, name) && flag.substr(name.size(), 1) == "=") {
      has = flag.substr(name.size() + 1) == value;
    }
  }
  return has;
}

}  // namespace

absl::StatusOr<DeviceLease> DeviceLease::Take(const LeaseRequest& request,
                                              const std::atomic<bool>* interrupted,
                                              absl::FunctionRef<void(std::string_view)> waiting) {
  Waiting wait(request, interrupted, waiting);
  std::vector<std::string> devices = request.devices;
  std::sort(devices.begin(), devices.end());
  DeviceLease lease;
  for (const std::string& device : devices) {
    const std::string path = absl::StrCat(request.folder, "/", device);
    // A waiting process holds the `.next` lock. Otherwise a process that takes the device again and
    // again would overtake it, since a waiter looks only now and then.
    const absl::StatusOr<int> turn = Lock(path + ".next", device, /*shared=*/false, wait);
    if (!turn.ok()) return turn.status();
    SetHolder(*turn, request.who);
    const absl::StatusOr<int> file = Lock(path, device, request.shared, wait);
    close(*turn);
    if (!file.ok()) return file.status();
    lease.descriptors_.push_back(*file);
    SetHolder(*file, request.who);
  }
  return lease;
}

DeviceLease::DeviceLease(DeviceLease&& other) noexcept
    : descriptors_(std::exchange(other.descriptors_, {})) {}

DeviceLease::~DeviceLease() {
  for (const int descriptor : descriptors_) close(descriptor);
}

absl::StatusOr<std::string> LeaseFolder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const char* temporary = std::getenv("TMPDIR");
  const std::string folder =
      runtime != nullptr && *runtime == '/'
          ? absl::StrCat(runtime, "/assay")
          : absl::StrCat(temporary != nullptr && *temporary == '/' ? temporary : "/tmp", "/assay-",
                         geteuid());
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return absl::ErrnoToStatus(errno, absl::StrCat("folder of leases ", folder));
  }
  struct stat made;
  if (lstat(folder.c_str(), &made) != 0 || !S_ISDIR(made.st_mode) || made.st_uid != geteuid()) {
    return absl::PermissionDeniedError(absl::StrCat(
        folder, " is not a folder of yours; remove it, or set XDG_RUNTIME_DIR to one that is"));
  }
  return folder;
}

std::vector<std::string> CpuNames(const std::vector<int>& cpus) {
  std::vector<std::string> names;
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (cpus.empty()) sched_getaffinity(0, sizeof mine, &mine);
  for (const int cpu : cpus) {
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(cpu, &mine);
  }
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mine)) names.push_back(absl::StrCat("cpu-", cpu));
  }
  return names;
}

std::vector<std::string> DevicesOf(const std::vector<std::string>& flags,
                                   const std::vector<int>& cpus) {
  if (!HasFlag(flags, "device", "cuda")) return CpuNames(cpus);
  const auto gpu = environment::ReadGpu({.visible_devices = std::getenv("CUDA_VISIBLE_DEVICES")});
  return {absl::StrCat("gpu-", gpu.ok() && !gpu->uuid.empty() ? gpu->uuid : "0")};
}

bool OnlyCompares(const std::vector<std::string>& flags) {
  return HasFlag(flags, "action", "verify") || HasFlag(flags, "action", "smoke");
}

}  // namespace assay::lease

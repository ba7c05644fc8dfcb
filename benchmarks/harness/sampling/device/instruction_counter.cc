#include "benchmarks/harness/sampling/device/instruction_counter.h"

#include <dirent.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace assay::sampling {
namespace {

class KernelEvents final : public PerfEvents {
 public:
  std::vector<int> Threads() override {
    std::vector<int> threads;
    DIR* tasks = opendir("/proc/self/task");
    if (tasks == nullptr) return {0};  // the thread that calls
    while (const dirent* entry = readdir(tasks)) {
      int thread = 0;
      if (absl::SimpleAtoi(entry->d_name, &thread)) threads.push_back(thread);
    }
    closedir(tasks);
    return threads;
  }

  int Open(int thread) override {
    perf_event_attr attributes = {};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof(attributes);
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attributes.inherit = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    const long descriptor = syscall(SYS_perf_event_open, &attributes, thread, /*cpu=*/-1,
                                    /*group=*/-1, PERF_FLAG_FD_CLOEXEC);
    return descriptor < 0 ? -errno : static_cast<int>(descriptor);
  }

  bool Read(int descriptor, Reading& reading) override {
    uint64_t values[3] = {};
    if (read(descriptor, values, sizeof(values)) != sizeof(values)) return false;
    reading = {static_cast<int64_t>(values[0]), static_cast<int64_t>(values[1]),
               static_cast<int64_t>(values[2])};
    return true;
  }

  void Close(int descriptor) override { close(descriptor); }

  std::string Paranoid() override {
    std::string level;
    std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
    return level;
  }
};

std::string WhyRefused(int error, const std::string& paranoid) {
  switch (error) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return "this machine has no counter of instructions: a virtual machine often has none";
    case ENOSYS:
      return "this kernel has no perf events";
    case EACCES:
    case EPERM: {
      int level = 0;
      // Up to 2 a process may count its own instructions in user space.
      if (absl::SimpleAtoi(paranoid, &level) && level > 2)
        return absl::StrCat("perf_event_paranoid is ", level,
                            ": sudo sysctl kernel.perf_event_paranoid=2 allows it");
      return "this process may not open perf events: a container's seccomp profile forbids it, "
             "unless it is started with --cap-add=PERFMON";
    }
    default:
      return absl::StrCat("perf_event_open: ", std::strerror(error));
  }
}

}  // namespace

InstructionCounter::InstructionCounter() : events_(std::make_unique<KernelEvents>()) {}

InstructionCounter::~InstructionCounter() {
  for (const int descriptor : descriptors_) events_->Close(descriptor);
}

int64_t InstructionCounter::Fail(std::string why) {
  missing_ = std::move(why);
  for (const int descriptor : descriptors_) events_->Close(descriptor);
  descriptors_.clear();
  return -1;
}

void InstructionCounter::Open() {
  opened_ = true;
  for (const int thread : events_->Threads()) {
    const int descriptor = events_->Open(thread);
    if (descriptor == -ESRCH) continue;  // it has ended meanwhile
    if (descriptor < 0) {
      Fail(WhyRefused(-descriptor, events_->Paranoid()));
      return;
    }
    descriptors_.push_back(descriptor);
  }
}

int64_t InstructionCounter::Read() {
  if (!opened_) Open();
  if (!missing_.empty()) return -1;
  PerfEvents::Reading sum;
  for (const int descriptor : descriptors_) {
    PerfEvents::Reading reading;
    if (!events_->Read(descriptor, reading)) return Fail("a perf event could not be read");
    sum.count += reading.count;
    sum.enabled_ns += reading.enabled_ns;
    sum.running_ns += reading.running_ns;
  }
  if (sum.running_ns < sum.enabled_ns)
    return Fail(absl::StrCat("other counters took the hardware: it counted ",
                             100 * sum.running_ns / sum.enabled_ns, " % of the time"));
  return sum.count;
}

}  // namespace assay::sampling

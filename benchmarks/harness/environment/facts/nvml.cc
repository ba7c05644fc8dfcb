#include "benchmarks/harness/environment/facts/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::environment {
namespace {

// The library's enums are ints, its devices opaque pointers.
using Device = void*;
constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kInsufficientSize = 7;
constexpr int kNoSuchFunction = 13;  // NVML_ERROR_FUNCTION_NOT_FOUND
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;
constexpr int kOfTheGpu = 0;           // NVML_TEMPERATURE_GPU
constexpr int kSlowdownThreshold = 1;  // NVML_TEMPERATURE_THRESHOLD_SLOWDOWN
constexpr unsigned kTextBytes = 96;    // NVML_DEVICE_NAME_V2_BUFFER_SIZE, the longest of its texts

// nvmlUtilization_t and nvmlProcessInfo_v2_t.
struct Utilization {
  unsigned gpu, memory;
};
struct Process {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};

class Nvml {
 public:
  explicit Nvml(void* library) : library_(library) {}

  // Arguments must have exactly the types of the C function.
  template <typename... Arguments>
  int Call(const char* function, Arguments... arguments) const {
    auto* address = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, function));
    return address != nullptr ? address(arguments...) : kNoSuchFunction;
  }

  std::string ErrorText(int code) const {
    auto* text = reinterpret_cast<const char* (*)(int)>(dlsym(library_, "nvmlErrorString"));
    return text != nullptr ? text(code) : absl::StrCat("error ", code);
  }

  // Absent unless the function succeeds. The value is the last argument.
  template <typename Value, typename... Arguments>
  std::optional<Value> Get(const char* function, Arguments... arguments) const {
    Value value{};
    if (Call(function, arguments..., &value) != kSuccess) return std::nullopt;
    return value;
  }

  template <typename... Arguments>
  std::string Text(const char* function, Arguments... arguments) const {
    char text[kTextBytes] = "";
    if (Call(function, arguments..., &text[0], kTextBytes) != kSuccess) return "";
    text[kTextBytes - 1] = '\0';
    return text;
  }

 private:
  void* library_;
};

// Whether a mode is on, which it is not where the GPU has no such mode.
std::optional<bool> Current(const Nvml& nvml, const char* function, Device device) {
  int current = 0, pending = 0;
  const int code = nvml.Call(function, device, &current, &pending);
  if (code != kSuccess && code != kNotSupported) return std::nullopt;
  return code == kSuccess && current != 0;
}

// Adds to `ids` those that `function` lists; false where it does not.
bool AddProcessIds(const Nvml& nvml, const char* function, Device device,
                   std::vector<unsigned>& ids) {
  std::vector<Process> processes(64);
  // Processes may start between the two calls; then the list is not worth a third.
  for (int attempt = 0; attempt < 2; ++attempt) {
    unsigned count = static_cast<unsigned>(processes.size());
    const int code = nvml.Call(function, device, &count, processes.data());
    if (code == kSuccess) {
      processes.resize(std::min<size_t>(count, processes.size()));
      for (const Process& process : processes) ids.push_back(process.pid);
      return true;
    }
    if (code != kInsufficientSize) return false;
    processes.resize(size_t{count} + 64);
  }
  return false;
}

std::optional<std::vector<unsigned>> ProcessIds(const Nvml& nvml, Device device) {
  std::vector<unsigned> ids;
  // Version 3 came with driver 510; its struct is that of version 2.
  const bool compute =
      AddProcessIds(nvml, "nvmlDeviceGetComputeRunningProcesses_v3", device, ids) ||
      AddProcessIds(nvml, "nvmlDeviceGetComputeRunningProcesses_v2", device, ids);
  if (!compute) return std::nullopt;
  // A desktop's programs; not every GPU has them.
  AddProcessIds(nvml, "nvmlDeviceGetGraphicsRunningProcesses_v3", device, ids);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::optional<uint64_t> ClockReasons(const Nvml& nvml, Device device) {
  // The name before driver 535 comes second.
  for (const char* function :
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
    if (auto reasons = nvml.Get<unsigned long long>(function, device)) return *reasons;
  }
  return std::nullopt;
}

void ReadClocks(const Nvml& nvml, Device device, GpuReading& gpu) {
  gpu.sm_clock_mhz = nvml.Get<unsigned>("nvmlDeviceGetClockInfo", device, kSmClock);
  gpu.max_sm_clock_mhz = nvml.Get<unsigned>("nvmlDeviceGetMaxClockInfo", device, kSmClock);
  gpu.memory_clock_mhz = nvml.Get<unsigned>("nvmlDeviceGetClockInfo", device, kMemoryClock);
  gpu.max_memory_clock_mhz = nvml.Get<unsigned>("nvmlDeviceGetMaxClockInfo", device, kMemoryClock);
  gpu.application_clock_mhz =
      nvml.Get<unsigned>("nvmlDeviceGetApplicationsClock", device, kSmClock);
  gpu.default_application_clock_mhz =
      nvml.Get<unsigned>("nvmlDeviceGetDefaultApplicationsClock", device, kSmClock);
  gpu.clock_reasons = ClockReasons(nvml, device);
}

void ReadState(const Nvml& nvml, Device device, GpuReading& gpu) {
  if (auto on = nvml.Get<int>("nvmlDeviceGetPersistenceMode", device)) gpu.persistence = *on != 0;
  gpu.ecc = Current(nvml, "nvmlDeviceGetEccMode", device);
  gpu.mig = Current(nvml, "nvmlDeviceGetMigMode", device);
  gpu.power_limit_mw = nvml.Get<unsigned>("nvmlDeviceGetPowerManagementLimit", device);
  gpu.default_power_limit_mw =
      nvml.Get<unsigned>("nvmlDeviceGetPowerManagementDefaultLimit", device);
  gpu.temperature_c = nvml.Get<unsigned>("nvmlDeviceGetTemperature", device, kOfTheGpu);
  gpu.slowdown_temperature_c =
      nvml.Get<unsigned>("nvmlDeviceGetTemperatureThreshold", device, kSlowdownThreshold);
  if (auto use = nvml.Get<Utilization>("nvmlDeviceGetUtilizationRates", device)) {
    gpu.utilization_percent = use->gpu;
  }
  gpu.process_ids = ProcessIds(nvml, device);
}

std::optional<Device> DeviceAt(const Nvml& nvml, unsigned index) {
  return nvml.Get<Device>("nvmlDeviceGetHandleByIndex_v2", index);
}

// The index that the choice names.
absl::StatusOr<unsigned> ChosenIndex(const Nvml& nvml, unsigned count, const char* visible) {
  if (visible == nullptr) return 0u;
  const std::vector<std::string> entries = absl::StrSplit(visible, ',');
  const std::string& first = entries.front();
  unsigned index = 0;
  if (absl::SimpleAtoi(first, &index) && index < count) return index;
  for (index = 0; index < count && !first.empty(); ++index) {
    const std::optional<Device> device = DeviceAt(nvml, index);
    if (device && absl::StartsWith(nvml.Text("nvmlDeviceGetUUID", *device), first)) return index;
  }
  return absl::NotFoundError(
      absl::StrCat("CUDA_VISIBLE_DEVICES=", visible, " names none of ", count, " GPUs"));
}

// The library, initialised while this exists, and the GPU that was chosen.
struct OpenGpu {
  explicit OpenGpu(void* library) : nvml(library) {}
  ~OpenGpu() { nvml.Call("nvmlShutdown"); }
  OpenGpu(const OpenGpu&) = delete;
  OpenGpu& operator=(const OpenGpu&) = delete;

  const Nvml nvml;
  unsigned index = 0, count = 0;
  Device device = nullptr;
};

absl::StatusOr<std::shared_ptr<OpenGpu>> Open(const GpuChoice& choice) {
  // Stays loaded: CUDA, where it is used, has loaded it as well.
  void* library = dlopen(choice.library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    return absl::NotFoundError(absl::StrCat("no NVIDIA driver: no ", choice.library));
  }
  if (const int code = Nvml(library).Call("nvmlInit_v2"); code != kSuccess) {
    return absl::UnavailableError(
        absl::StrCat("the NVIDIA driver does not answer: ", Nvml(library).ErrorText(code)));
  }
  auto gpu = std::make_shared<OpenGpu>(library);
  gpu->count = gpu->nvml.Get<unsigned>("nvmlDeviceGetCount_v2").value_or(0);
  if (gpu->count == 0) return absl::NotFoundError("the NVIDIA driver sees no GPU");
  const absl::StatusOr<unsigned> index = ChosenIndex(gpu->nvml, gpu->count, choice.visible_devices);
  if (!index.ok()) return index.status();
  gpu->index = *index;
  const std::optional<Device> device = DeviceAt(gpu->nvml, gpu->index);
  if (!device) {
    return absl::UnavailableError(absl::StrCat("GPU ", gpu->index, " does not answer the driver"));
  }
  gpu->device = *device;
  return gpu;
}

}  // namespace

absl::StatusOr<GpuReading> ReadGpu(const GpuChoice& choice) {
  const absl::StatusOr<std::shared_ptr<OpenGpu>> open = Open(choice);
  if (!open.ok()) return open.status();
  const Nvml& nvml = (*open)->nvml;
  const Device device = (*open)->device;
  GpuReading gpu;
  gpu.count = (*open)->count;
  gpu.index = (*open)->index;
  gpu.name = nvml.Text("nvmlDeviceGetName", device);
  gpu.uuid = nvml.Text("nvmlDeviceGetUUID", device);
  gpu.driver = nvml.Text("nvmlSystemGetDriverVersion");
  ReadClocks(nvml, device, gpu);
  ReadState(nvml, device, gpu);
  return gpu;
}

absl::StatusOr<GpuEnergyReader> OpenGpuEnergy(const GpuChoice& choice) {
  const absl::StatusOr<std::shared_ptr<OpenGpu>> open = Open(choice);
  if (!open.ok()) return open.status();
  const auto read = [gpu = *open]() -> std::optional<uint64_t> {
    return gpu->nvml.Get<unsigned long long>("nvmlDeviceGetTotalEnergyConsumption", gpu->device);
  };
  if (!read()) return absl::UnimplementedError("this GPU or its driver counts no energy");
  return read;
}

}  // namespace assay::environment

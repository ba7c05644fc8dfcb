// The management library (environment/facts/nvml.h) of a machine whose one GPU is simulated: of its
// functions those that the suite calls.

#include <unistd.h>

#include <cstring>

#include "benchmarks/harness/simulated_gpu/simulated_gpu.h"

namespace {

constexpr int kSuccess = 0, kNotSupported = 3, kInsufficientSize = 7;
int the_gpu = 0;

const assay::sampling::DeviceFacts& Facts() {
  static const auto* const facts = new assay::sampling::DeviceFacts(
      assay::simulated_gpu::AskedCard().value_or(assay::simulated_gpu::Card()).facts);
  return *facts;
}

int Put(char* text, unsigned bytes, const char* value) {
  if (bytes <= std::strlen(value)) return kInsufficientSize;
  std::strcpy(text, value);
  return kSuccess;
}

template <typename Value, typename Given>
int Put(Value* to, Given value) {
  *to = static_cast<Value>(value);
  return kSuccess;
}

unsigned Clock(int type) {
  constexpr int kMemoryClock = 2;
  return static_cast<unsigned>(type == kMemoryClock ? Facts().memory_mhz : Facts().core_mhz);
}

// nvmlUtilization_t and nvmlProcessInfo_v2_t.
struct Utilization {
  unsigned gpu, memory;
};
struct Process {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};

}  // namespace

extern "C" {

int nvmlInit_v2() { return kSuccess; }
int nvmlShutdown() { return kSuccess; }
const char* nvmlErrorString(int) { return "simulated"; }

int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  return Put(text, bytes, Facts().driver.c_str());
}
int nvmlDeviceGetCount_v2(unsigned* count) { return Put(count, 1); }
int nvmlDeviceGetHandleByIndex_v2(unsigned, void** device) {
  *device = &the_gpu;
  return kSuccess;
}
int nvmlDeviceGetName(void*, char* text, unsigned bytes) {
  return Put(text, bytes, Facts().name.c_str());
}
int nvmlDeviceGetUUID(void*, char* text, unsigned bytes) {
  return Put(text, bytes, "GPU-simulated");
}

int nvmlDeviceGetPersistenceMode(void*, int* on) { return Put(on, 1); }
int nvmlDeviceGetEccMode(void*, int* current, int* pending) {
  *pending = 1;
  return Put(current, 1);
}
int nvmlDeviceGetMigMode(void*, unsigned*, unsigned*) { return kNotSupported; }

int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) { return Put(mhz, Clock(type)); }
int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned* mhz) { return Put(mhz, Clock(type)); }
// None: nothing slows it, and nothing holds its clock.
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  return Put(reasons, 0);
}

int nvmlDeviceGetPowerManagementLimit(void*, unsigned* milliwatts) {
  return Put(milliwatts, 700'000);
}
int nvmlDeviceGetPowerManagementDefaultLimit(void*, unsigned* milliwatts) {
  return Put(milliwatts, 700'000);
}
// A steady 300 W.
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  return Put(millijoules, 300 * (assay::simulated_gpu::SimulatedNowNs() / 1'000'000));
}
int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) { return Put(celsius, 41); }
int nvmlDeviceGetTemperatureThreshold(void*, int, unsigned* celsius) { return Put(celsius, 92); }
int nvmlDeviceGetUtilizationRates(void*, Utilization* use) {
  *use = {0, 0};
  return kSuccess;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, Process* processes) {
  if (*count < 1) return kInsufficientSize;
  processes[0] = {static_cast<unsigned>(getpid()), 1, 0, 0};
  return Put(count, 1);
}

}  // extern "C"

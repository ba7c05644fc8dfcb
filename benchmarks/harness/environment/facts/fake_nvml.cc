// A management library with two GPUs, for tests. Words in the environment variable FAKE_NVML switch
// on what a real one does now and then.

#include <cstdlib>
#include <cstring>

namespace {

bool Says(const char* word) {
  const char* words = std::getenv("FAKE_NVML");
  return words != nullptr && std::strstr(words, word) != nullptr;
}

int devices[2];
int IndexOf(void* device) { return static_cast<int>(static_cast<int*>(device) - devices); }

int Put(char* text, unsigned bytes, const char* value) {
  if (bytes <= std::strlen(value)) return 7;
  std::strcpy(text, value);
  return 0;
}

struct Process {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};

}  // namespace

extern "C" {

int nvmlInit_v2() { return Says("no_driver") ? 9 : 0; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int code) { return code == 9 ? "Driver Not Loaded" : "Other"; }
int nvmlSystemGetDriverVersion(char* text, unsigned bytes) { return Put(text, bytes, "580.65.06"); }

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = Says("no_gpu") ? 0 : 2;
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (index >= 2 || Says("lost")) return 15;
  *device = &devices[index];
  return 0;
}

int nvmlDeviceGetName(void*, char* text, unsigned bytes) { return Put(text, bytes, "NVIDIA H200"); }

int nvmlDeviceGetUUID(void* device, char* text, unsigned bytes) {
  return Put(text, bytes, IndexOf(device) == 0 ? "GPU-aaaa1111" : "GPU-bbbb2222");
}

int nvmlDeviceGetPersistenceMode(void* device, int* on) {
  *on = IndexOf(device);  // off on the first, on on the second
  return 0;
}

int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  *mhz = type == 1 ? 345 : 2619;
  return 0;
}

int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 3201;
  return 0;
}

// Not supported, as on recent GPUs.
int nvmlDeviceGetApplicationsClock(void*, int, unsigned*) { return 3; }

#ifndef OLD_DRIVER
// 250 J at each question; a lost GPU is no longer asked.
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  static unsigned long long counted[2];
  *millijoules = counted[IndexOf(device)] += 250'000;
  return Says("no_energy") ? 3 : 0;
}
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  *reasons = 0x4;
  return 0;
}
#endif
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = 0x1;
  return 0;
}

int nvmlDeviceGetPowerManagementLimit(void*, unsigned* milliwatts) {
  *milliwatts = 700000;
  return 0;
}

int nvmlDeviceGetPowerManagementDefaultLimit(void*, unsigned* milliwatts) {
  *milliwatts = 700000;
  return 0;
}

int nvmlDeviceGetEccMode(void*, int* current, int* pending) {
  *current = 1;
  *pending = 0;
  return 0;
}

int nvmlDeviceGetMigMode(void*, unsigned*, unsigned*) { return 3; }

int nvmlDeviceGetTemperature(void*, int sensor, unsigned* celsius) {
  *celsius = 41;
  return sensor == 0 ? 0 : 2;
}

int nvmlDeviceGetTemperatureThreshold(void*, int type, unsigned* celsius) {
  *celsius = type == 1 ? 92 : 95;
  return 0;
}

struct Utilization {
  unsigned gpu, memory;
};
int nvmlDeviceGetUtilizationRates(void*, Utilization* use) {
  *use = {37, 2};
  return 0;
}

// A hundred processes, more than a caller expects; their list must be asked for twice.
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, Process* processes) {
  const unsigned all = Says("crowded") ? 100 : 1;
  const unsigned room = *count;
  *count = all;
  if (room < all) return 7;
  for (unsigned i = 0; i < all; ++i) processes[i] = {1000 + i, 1, 0xffffffffu, 0xffffffffu};
  return 0;
}

// One that computes as well, and one that only draws.
int nvmlDeviceGetGraphicsRunningProcesses_v3(void*, unsigned* count, Process* processes) {
  *count = 2;
  processes[0] = {1000, 1, 0, 0};
  processes[1] = {77, 1, 0, 0};
  return 0;
}

}  // extern "C"

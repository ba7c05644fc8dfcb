#include "benchmarks/harness/simulated_gpu/simulated_gpu.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"

namespace assay::simulated_gpu {
namespace {

using sampling::FakeDevice;

// Costs as they are usual; none was measured.
constexpr int64_t kLaunchNs = 4'500;  // of the host, for an operator's way to the queue
constexpr double kLeastKernelNs = 1'500;
constexpr double kColdShare = 0.75;    // of the memory's speed, after a flush
constexpr double kWarmShare = 0.9;     // otherwise
constexpr double kProductShare = 0.6;  // of the card's operations a second
constexpr double kNoise = 0.02;

constexpr int32_t kMhz = 1980;
constexpr int32_t kWarmMhz = 1965;  // once it has worked for a while
constexpr int64_t kReadingsUntilWarm = 500;

std::atomic<SimulatedGpu*> last_made = nullptr;

FakeDevice::Script ScriptOf(const Card& card) {
  return {.timers = 1,
          .clock_read_ns = 25,
          .synchronize_ns = 3'000,
          .timer_record_ns = 900,
          .flush_ns = 40'000,
          .hold = true,
          .graphs = true,
          .graph_launch_ns = 6'000,
          .probe_cold_ns = 9'000,
          .probe_warm_ns = 4'000,
          .mhz = kMhz,
          .l2_bytes = card.facts.l2_bytes};
}

int64_t BytesOf(const c10::IValue& value) {
  int64_t bytes = 0;
  if (value.isTensor() && value.toTensor().defined()) {
    bytes += static_cast<int64_t>(value.toTensor().nbytes());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) {
      if (tensor.defined()) bytes += static_cast<int64_t>(tensor.nbytes());
    }
  }
  return bytes;
}

// The factor of a product of matrices: 2 x the length of a row of the first one.
double OperationsPerElement(std::string_view name, c10::ArrayRef<const c10::IValue> inputs) {
  const bool adds = absl::StrContains(name, "addmm");
  if (!adds && name != "aten::mm" && name != "aten::bmm") return 0;
  const size_t matrix = adds ? 1 : 0;
  if (inputs.size() <= matrix || !inputs[matrix].isTensor()) return 0;
  return 2 * static_cast<double>(inputs[matrix].toTensor().size(-1));
}

// Whether an operator is a kernel of a GPU: it computes by itself and gives more than a view.
bool IsKernel(const c10::OperatorHandle& op) {
  const std::string& name = op.schema().name();
  if (absl::StrContains(name, "::empty") || !op.hasKernelForDispatchKey(c10::DispatchKey::CPU))
    return false;
  for (const c10::Argument& result : op.schema().returns()) {
    if (result.alias_info() == nullptr || result.alias_info()->isWrite()) return true;
  }
  return op.schema().returns().empty();
}

SimulatedGpu* watched = nullptr;  // one at a time
thread_local int depth = 0;       // within kernels

struct Started : at::ObserverContext {
  SimulatedGpu::Kernel kernel;
  double operations_per_element = 0;
  bool reads_back = false;
};

std::unique_ptr<at::ObserverContext> OnStart(const at::RecordFunction& function) {
  if (!function.operator_name()) return nullptr;  // a mark for profiles
  if (depth == 0) {
    const auto op = c10::Dispatcher::singleton().findSchema(*function.operator_name());
    if (!op || !IsKernel(*op)) return nullptr;
  }
  auto started = std::make_unique<Started>();
  if (++depth > 1) return started;
  for (const c10::IValue& input : function.inputs())
    started->kernel.bytes += static_cast<double>(BytesOf(input));
  started->operations_per_element = OperationsPerElement(function.name(), function.inputs());
  started->reads_back = absl::StrContains(function.name(), "_local_scalar_dense");
  return started;
}

void OnEnd(const at::RecordFunction& function, at::ObserverContext* context) {
  if (context == nullptr || --depth > 0 || watched == nullptr) return;
  auto* started = static_cast<Started*>(context);
  if (started->reads_back) return watched->ReadBack();
  for (const c10::IValue& result : function.outputs()) {
    started->kernel.bytes += static_cast<double>(BytesOf(result));
    if (!result.isTensor() || !result.toTensor().defined()) continue;
    const at::Tensor& tensor = result.toTensor();
    started->kernel.flops += started->operations_per_element * static_cast<double>(tensor.numel());
    started->kernel.is_16_bit |= tensor.element_size() == 2;
  }
  watched->Launch(started->kernel);
}

}  // namespace

// Stands in front of LibTorch's allocator for the CPU, and counts what it gives in the sizes that
// CUDA's caching allocator would have. It is never taken away: its blocks may outlive the device.
class SimulatedGpu::DeviceMemory final : public c10::Allocator {
 public:
  // The one of this process, which begins to count with the first call.
  static DeviceMemory& Get() {
    static auto* const memory = new DeviceMemory;
    return *memory;
  }

  at::DataPtr allocate(size_t bytes) override {
    at::DataPtr data = inner_->allocate(bytes);
    if (data.get() == nullptr || !data.compare_exchange_deleter(inner_->raw_deleter(), &Delete))
      return data;
    Add(data.get(), static_cast<int64_t>(bytes));
    return data;
  }
  at::DeleterFnPtr raw_deleter() const override { return &Delete; }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }

  sampling::MemoryState State() {
    const std::scoped_lock lock(mutex_);
    return state_;
  }
  void ResetPeak() {
    const std::scoped_lock lock(mutex_);
    state_.device_peak_bytes = state_.device_live_bytes;
  }

 private:
  DeviceMemory() : inner_(c10::GetCPUAllocator()) {
    // A process with CUDA in it; the memory of this one would be another on each machine.
    state_.host_live_bytes = int64_t{512} << 20;
    state_.host_peak_bytes = int64_t{2} << 30;
    c10::SetCPUAllocator(this, /*priority=*/255);
  }

  static void Delete(void* block) {
    Get().Remove(block);
    Get().inner_->raw_deleter()(block);
  }
  void Add(void* block, int64_t bytes) {
    constexpr int64_t kUnit = 512, kSegment = int64_t{20} << 20;
    const std::scoped_lock lock(mutex_);
    sizes_[block] = (bytes + kUnit - 1) / kUnit * kUnit;
    int64_t& live = state_.device_live_bytes;
    live += sizes_[block];
    state_.device_peak_bytes = std::max(state_.device_peak_bytes, live);
    if (live <= reserved_bytes_) return;
    reserved_bytes_ = (live + kSegment - 1) / kSegment * kSegment;
    ++state_.device_allocations;
  }
  void Remove(void* block) {
    const std::scoped_lock lock(mutex_);
    state_.device_live_bytes -= sizes_[block];
    sizes_.erase(block);
  }

  c10::Allocator* const inner_;
  std::mutex mutex_;
  std::unordered_map<void*, int64_t> sizes_;
  sampling::MemoryState state_;
  int64_t reserved_bytes_ = 0;
};

// Has LibTorch call OnStart() and OnEnd() around each operator of each thread.
class SimulatedGpu::Watch {
 public:
  explicit Watch(SimulatedGpu& gpu) {
    watched = &gpu;
    handle_ = at::addGlobalCallback(at::RecordFunctionCallback(OnStart, OnEnd)
                                        .needsInputs(true)
                                        .needsOutputs(true)
                                        .scopes({at::RecordScope::FUNCTION}));
  }
  ~Watch() {
    at::removeCallback(handle_);
    watched = nullptr;
  }

 private:
  at::CallbackHandle handle_;
};

std::optional<Card> FindCard(std::string_view name) {
  Card card = {.facts = {.name = "",
                         .driver = "simulated",
                         .cuda_runtime = "13.0",
                         .cudnn_version = "9.13.0",
                         .compute_capability = "9.0",
                         .multiprocessors = 132,
                         .core_mhz = kMhz},
               .flops_per_ns = 66.9e3,
               .flops16_per_ns = 989.5e3};
  sampling::DeviceFacts& facts = card.facts;
  if (name == "H100") {
    facts.name = "Simulated H100 80GB HBM3";
    facts.memory_bytes = int64_t{80} << 30;
    facts.l2_bytes = int64_t{50} << 20;
    facts.memory_mhz = 2619;
    facts.memory_bus_bits = 5120;
  } else if (name == "H200") {
    facts.name = "Simulated H200";
    facts.memory_bytes = int64_t{141} << 30;
    facts.l2_bytes = int64_t{60} << 20;
    facts.memory_mhz = 3201;
    facts.memory_bus_bits = 6144;
  } else {
    return std::nullopt;
  }
  card.bytes_per_ns = 2 * facts.memory_mhz * 1e6 * facts.memory_bus_bits / 8 * 1e-9;
  return card;
}

std::optional<Card> AskedCard() {
  const char* asked = std::getenv("ASSAY_SIMULATED_GPU");
  return FindCard(asked != nullptr ? asked : "H100");
}

SimulatedGpu::SimulatedGpu(const Card& card)
    : FakeDevice(ScriptOf(card)), card_(card), watch_(std::make_unique<Watch>(*this)) {
  DeviceMemory::Get();  // counts from now on
  last_made = this;
}

SimulatedGpu::~SimulatedGpu() {
  SimulatedGpu* self = this;
  last_made.compare_exchange_strong(self, nullptr);
}

int64_t SimulatedNowNs() {
  SimulatedGpu* gpu = last_made;
  return gpu != nullptr ? gpu->NowNs() : 0;
}

void SimulatedGpu::Launch(const Kernel& kernel) {
  const std::scoped_lock lock(mutex_);
  const double flops_per_ns = kernel.is_16_bit ? card_.flops16_per_ns : card_.flops_per_ns;
  const double memory_ns = kernel.bytes / (card_.bytes_per_ns * (cold_ ? kColdShare : kWarmShare));
  const double ns =
      kLeastKernelNs + std::max(memory_ns, kernel.flops / (flops_per_ns * kProductShare));
  // The same noise in each run: a generator of Knuth's, MMIX.
  drawn_ = drawn_ * 6364136223846793005u + 1442695040888963407u;
  const double noise = static_cast<double>(drawn_ >> 40) / (1 << 24);
  HostWork(kLaunchNs + static_cast<int64_t>(200 * noise));
  Enqueue(std::llround(ns * (1 + kNoise * noise)));
}

void SimulatedGpu::ReadBack() {
  const std::scoped_lock lock(mutex_);
  Wait();
}

absl::Status SimulatedGpu::FlushCache(int64_t bytes) {
  cold_ = true;
  return FakeDevice::FlushCache(bytes);
}

absl::Status SimulatedGpu::StopTimer(int timer) {
  cold_ = false;
  return FakeDevice::StopTimer(timer);
}

absl::StatusOr<sampling::ClockReading> SimulatedGpu::ReadClock(int64_t now_ns) {
  if (++clock_readings_ == kReadingsUntilWarm) SetMhz(kWarmMhz);
  return FakeDevice::ReadClock(now_ns);
}

sampling::MemoryState SimulatedGpu::Memory() { return DeviceMemory::Get().State(); }

void SimulatedGpu::ResetPeakMemory() { DeviceMemory::Get().ResetPeak(); }

}  // namespace assay::simulated_gpu

#include "benchmarks/harness/sampling/cuda/torch_framework.h"

#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ATen/Context.h"
#include "ATen/core/CachingHostAllocator.h"
#include "ATen/cuda/CUDAGraph.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/sampling/cuda/kernels.h"
#include "c10/cuda/CUDACachingAllocator.h"
#include "c10/cuda/CUDAFunctions.h"
#include "c10/cuda/CUDAGuard.h"
#include "c10/cuda/CUDAStream.h"
#include "c10/util/Exception.h"
#include "torch/csrc/cuda/memory_snapshot.h"

namespace assay::sampling {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

// Allocations and releases that a snapshot keeps; the oldest are dropped first.
constexpr size_t kMostHistory = 1'000'000;

// Runs `call` and returns its exception as a Status, ResourceExhausted where memory ran out.
template <typename Call>
absl::Status Caught(absl::StatusCode code, std::string_view doing, Call&& call) {
  try {
    call();
    return absl::OkStatus();
  } catch (const c10::OutOfMemoryError& error) {
    return absl::ResourceExhaustedError(absl::StrCat(doing, ": ", error.what_without_backtrace()));
  } catch (const c10::Error& error) {
    return absl::Status(code, absl::StrCat(doing, ": ", error.what_without_backtrace()));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat(doing, ": out of memory"));
  } catch (const std::exception& error) {
    return absl::Status(code, absl::StrCat(doing, ": ", error.what()));
  }
}

class TorchGraph : public Graph {
 public:
  // Records `work` in the current stream, which is not the default one.
  absl::Status Record(c10::DeviceIndex device, absl::FunctionRef<void()> work);

  absl::Status Launch() override {
    return base::CatchTorch("launching a graph", [&] { graph_.replay(); });
  }

 private:
  bool OwnsItsPool();
  void GiveBackPool(c10::DeviceIndex device);

  at::cuda::CUDAGraph graph_;
  const at::MempoolId_t pool_ = at::cuda::graph_pool_handle();
};

absl::Status TorchGraph::Record(c10::DeviceIndex device, absl::FunctionRef<void()> work) {
  constexpr absl::StatusCode kRefused = absl::StatusCode::kFailedPrecondition;
  absl::Status begun = Caught(kRefused, "beginning to record", [&] {
    graph_.capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
  });
  const absl::Status worked = begun.ok() ? Caught(kRefused, "recording", work) : begun;
  // Called after a failure, too: it ends the stream's recording.
  const absl::Status ended = Caught(kRefused, "recording", [&] { graph_.capture_end(); });
  if (worked.ok() && ended.ok()) return absl::OkStatus();
  if (!OwnsItsPool()) GiveBackPool(device);
  return worked.ok() ? ended : worked;
}

bool TorchGraph::OwnsItsPool() {
  return Caught(absl::StatusCode::kInternal, "", [&] { graph_.pool(); }).ok();
}

// In 2.11 a capture_end that fails leaves allocations going to the graph's pool, through a filter
// that points to the graph, and the next emptying of the cache ends the process
// (pytorch/pytorch#180395). So this function does the rest of its work, as far as it was not done.
void TorchGraph::GiveBackPool(c10::DeviceIndex device) {
  const auto attempt = [](auto&& call) {
    Caught(absl::StatusCode::kInternal, "", call).IgnoreError();
  };
  at::HostAllocator* host = at::getHostAllocator(at::kCUDA);
  attempt([&] { allocator::endAllocateToPool(device, pool_); });
  attempt([&] { host->end_allocate_to_pool(pool_); });
  attempt([&] { allocator::releasePool(device, pool_); });
  attempt([&] { host->release_pool(pool_); });
}

// After a failed recording the default random generator still believes that it is being recorded. A
// recording that succeeds resets it.
absl::Status RecordAlmostNothing(c10::DeviceIndex device, cudaStream_t stream) {
  TorchGraph graph;
  return graph.Record(device, [&] { Spin(0, stream); });
}

}  // namespace

cudaStream_t TorchFramework::Stream() { return c10::cuda::getCurrentCUDAStream(index_).stream(); }

absl::StatusOr<std::unique_ptr<Graph>> TorchFramework::Capture(absl::FunctionRef<void()> work) {
  std::unique_ptr<TorchGraph> graph;
  absl::Status recorded;
  absl::Status status = Caught(absl::StatusCode::kFailedPrecondition, "before recording", [&] {
    at::globalContext().lazyInitDevice(at::kCUDA);
    const c10::cuda::CUDAStream side =
        c10::cuda::getStreamFromPool(/*isHighPriority=*/false, index_);
    c10::cuda::device_synchronize();
    const c10::cuda::CUDAStreamGuard guard(side);
    // Workspaces and handles belong to a stream and cannot be made while it is recorded, so `work`
    // runs once before.
    work();
    c10::cuda::device_synchronize();
    graph = std::make_unique<TorchGraph>();
    recorded = graph->Record(index_, work);
    if (recorded.ok()) return;
    graph.reset();
    cudaGetLastError();
    const absl::Status mended = RecordAlmostNothing(index_, side.stream());
    if (!mended.ok())
      recorded = absl::UnavailableError(absl::StrCat(
          recorded.message(), "; and nothing can be recorded since: ", mended.message()));
  });
  if (status.ok()) status = std::move(recorded);
  if (!status.ok()) return status;
  return graph;
}

void TorchFramework::ReadMemory(MemoryState& state) {
  // LibTorch makes the allocator when the first tensor is put on the device.
  if (!allocator::get()->initialized()) return;
  const c10::CachingDeviceAllocator::DeviceStats stats = allocator::getDeviceStats(index_);
  const auto& allocated =
      stats.allocated_bytes[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
  state.device_live_bytes = allocated.current;
  state.device_peak_bytes = allocated.peak;
  state.device_allocations = stats.num_device_alloc;
}

void TorchFramework::ResetPeakMemory() {
  if (allocator::get()->initialized()) allocator::resetPeakStats(index_);
}

absl::Status TorchFramework::StartMemoryHistory() {
  return Caught(absl::StatusCode::kInternal, "recording the memory's history", [] {
    torch::cuda::_record_memory_history(/*enabled=*/std::optional<std::string>("all"),
                                        /*context=*/std::nullopt,
                                        /*stacks=*/"python", kMostHistory);
  });
}

absl::StatusOr<std::string> TorchFramework::MemorySnapshot() {
  std::string snapshot;
  const absl::Status taken = Caught(absl::StatusCode::kInternal, "a memory snapshot", [&] {
    snapshot = torch::cuda::_memory_snapshot_pickled();
    torch::cuda::_record_memory_history(/*enabled=*/std::nullopt);
  });
  if (!taken.ok()) return taken;
  return snapshot;
}

}  // namespace assay::sampling

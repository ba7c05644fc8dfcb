#include "benchmarks/harness/sampling/cuda/bare_framework.h"

#include <exception>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/sampling/cuda/cuda_status.h"

namespace assay::sampling {
namespace {

class BareGraph : public Graph {
 public:
  BareGraph(cudaGraphExec_t graph, BareFramework& framework)
      : graph_(graph), framework_(framework) {}
  ~BareGraph() override { cudaGraphExecDestroy(graph_); }
  absl::Status Launch() override {
    return CudaStatus(cudaGraphLaunch(graph_, framework_.Stream()), "launching a graph");
  }

 private:
  cudaGraphExec_t graph_;
  BareFramework& framework_;
};

absl::Status Refused(std::string_view doing, std::string_view reason) {
  return absl::FailedPreconditionError(absl::StrCat(doing, ": ", reason));
}

absl::Status Checked(cudaError_t error, std::string_view doing) {
  if (error == cudaSuccess || error == cudaErrorMemoryAllocation) return CudaStatus(error, doing);
  return Refused(doing, CudaReason(error));
}

absl::Status Caught(absl::FunctionRef<void()> work, std::string_view doing) {
  try {
    work();
    return absl::OkStatus();
  } catch (const std::exception& error) {
    return Refused(doing, error.what());
  }
}

// Records what `work` queues in `stream`, and ends the stream's capture even after a failure.
absl::StatusOr<cudaGraph_t> Recorded(absl::FunctionRef<void()> work, cudaStream_t stream) {
  absl::Status status = Checked(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
                                "beginning to record");
  if (!status.ok()) return status;
  const absl::Status worked = Caught(work, "recording");
  cudaGraph_t graph = nullptr;
  status = Checked(cudaStreamEndCapture(stream, &graph), "recording");
  if (status.ok()) status = worked;
  if (status.ok()) return graph;
  if (graph != nullptr) cudaGraphDestroy(graph);
  return worked.ok() ? status : worked;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> BareFramework::Capture(absl::FunctionRef<void()> work) {
  cudaStream_t side = nullptr;
  absl::Status status = CudaStatus(cudaDeviceSynchronize(), "waiting for the device");
  if (!status.ok()) return status;
  status = CudaStatus(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), "making a stream");
  if (!status.ok()) return status;
  const absl::Cleanup back = [this, side, stream = stream_] {
    stream_ = stream;
    cudaStreamDestroy(side);
  };
  stream_ = side;
  status = Caught(work, "running once before recording");
  if (!status.ok()) return status;
  status = CudaStatus(cudaDeviceSynchronize(), "waiting for the device");
  if (!status.ok()) return status;
  const absl::StatusOr<cudaGraph_t> graph = Recorded(work, side);
  if (!graph.ok()) return graph.status();
  cudaGraphExec_t ready = nullptr;
  status = Checked(cudaGraphInstantiate(&ready, *graph, 0), "making a graph");
  cudaGraphDestroy(*graph);
  if (!status.ok()) return status;
  return std::make_unique<BareGraph>(ready, *this);
}

}  // namespace assay::sampling

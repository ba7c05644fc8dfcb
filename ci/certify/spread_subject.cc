// One process's part of goal G4: what this suite, or plain Google Benchmark, reports for one
// LibTorch operation. Prints nanoseconds a call.  spread_subject ours|google matmul|softmax|copy
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "ATen/Parallel.h"
#include "ATen/ops/copy.h"
#include "ATen/ops/empty_like.h"
#include "ATen/ops/matmul.h"
#include "ATen/ops/randn.h"
#include "ATen/ops/softmax.h"
#include "absl/time/time.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "c10/core/InferenceMode.h"
#include "ci/certify/google_peer.h"

namespace assay::certify {
namespace {

std::function<void()> CallOf(const std::string& op) {
  if (op == "matmul") {
    return [a = at::randn({256, 256}), b = at::randn({256, 256})] { at::matmul(a, b); };
  }
  if (op == "softmax") {
    return [a = at::randn({256, 1024})] { at::softmax(a, -1); };
  }
  if (op == "copy") {
    const at::Tensor from = at::randn({1 << 20});
    return [from, to = at::empty_like(from)] { to.copy_(from); };
  }
  return nullptr;
}

// A quarter of the budget at least: what differs between processes of one program on a shared
// machine are mostly spells of a neighbour's work.
double Ours(const std::function<void()>& call) {
  sampling::CpuDevice device;
  auto set = sampling::Measure(device, sampling::Mode::kWall, [&] { call(); },
                               {.precision = {.min_time = absl::Milliseconds(250)}});
  if (!set.ok() || set->samples_ns.empty()) return -1;
  std::sort(set->samples_ns.begin(), set->samples_ns.end());
  return statistics::Median(set->samples_ns);
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  const std::string how = words.size() == 2 ? words[0] : "", op = words.size() == 2 ? words[1] : "";
  const std::function<void()> call = CallOf(op);
  if (call == nullptr || (how != "ours" && how != "google"))
    return absl::InvalidArgumentError("ours|google matmul|softmax|copy");
  at::set_num_threads(1);  // as torch.utils.benchmark does
  c10::InferenceMode guard;
  // 0.5 s is Google Benchmark's own default.
  const double ns =
      how == "ours" ? Ours(call) : TimeWithGoogle(GooglePeer::kPlain, call, /*min_time_s=*/0.5);
  std::printf("%.6f\n", ns);
  return ns > 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay::certify

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv,
                                       {.name = "spread_subject", .run = assay::certify::Main});
}

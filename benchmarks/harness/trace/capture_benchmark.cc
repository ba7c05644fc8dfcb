// Measures what a record of an execution trace costs: the processor's time of small operators with a recorder, less
// the time without one, by the number of records. Ways alternate within a round; the figures are the
// smallest of all rounds, as other work on the machine only adds time.
//
//   tools/bazel run -c opt //benchmarks/harness/trace:capture_benchmark
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/trace/capture.h"
#include "benchmarks/harness/trace/observer.h"

namespace assay::trace {
namespace {

constexpr int kCalls = 2000, kRounds = 9;

struct Program {
  const char* name;
  std::function<void()> call;
  int64_t records = 0;  // a call
  double plain_ns = std::numeric_limits<double>::max(), captured_ns = plain_ns,
         observed_ns = plain_ns;
};

double ThreadNs() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Nanoseconds of one call, of this thread's processor time.
double TimeOf(const std::function<void()>& call) {
  const double start = ThreadNs();
  for (int i = 0; i < kCalls; ++i) call();
  return (ThreadNs() - start) / kCalls;
}

// False where a recorder failed, which has been said.
bool Measure(Program& program, const std::string& folder) {
  program.plain_ns = std::min(program.plain_ns, TimeOf(program.call));
  auto capture = Capture::Start({.path = folder + "/capture.json", .values = false, .times = {}});
  if (!capture.ok()) return std::puts(capture.status().ToString().c_str()), false;
  program.captured_ns = std::min(program.captured_ns, TimeOf(program.call));
  const absl::StatusOr<Captured> captured = (*capture)->Finish();
  if (!captured.ok()) return std::puts(captured.status().ToString().c_str()), false;
  program.records = captured->operators / kCalls;
  auto observer = Observer::Start(folder + "/observer.json");
  if (!observer.ok()) return std::puts(observer.status().ToString().c_str()), false;
  program.observed_ns = std::min(program.observed_ns, TimeOf(program.call));
  return (*observer)->Finish().ok();
}

int Main() {
  at::set_num_threads(1);
  const char* const temporary = std::getenv("TMPDIR");
  const std::string folder = temporary == nullptr ? "/tmp" : temporary;
  const at::Tensor small = at::ones({4}), matrix = at::ones({8, 8}), image = at::ones({1, 3, 8, 8}),
                   kernel = at::ones({4, 3, 3, 3}), bias = at::ones({8});
  std::vector<Program> programs = {{"add", [&] { at::add(small, small); }},
                                   {"softmax", [&] { at::softmax(small, 0); }},
                                   {"linear", [&] { at::linear(matrix, matrix, bias); }},
                                   {"conv2d", [&] { at::conv2d(image, kernel); }},
                                   {"_foreach_add", [&] {
                                      at::_foreach_add({small, small, small, small}, 1);
                                    }}};
  for (int round = 0; round < kRounds; ++round) {
    for (Program& program : programs)
      if (!Measure(program, folder)) return 2;
  }
  for (const char* name : {"/capture.json", "/observer.json"}) std::remove((folder + name).c_str());
  std::printf("%-14s%8s%12s%18s%18s\n", "", "records", "call", "us a record", "LibTorch's");
  for (const Program& p : programs) {
    const auto per_record = [&](double ns) {
      return (ns - p.plain_ns) / static_cast<double>(std::max<int64_t>(p.records, 1)) / 1e3;
    };
    std::printf("%-14s%8d%9.2f us%18.2f%18.2f\n", p.name, static_cast<int>(p.records),
                p.plain_ns / 1e3, per_record(p.captured_ns), per_record(p.observed_ns));
  }
  return 0;
}

}  // namespace
}  // namespace assay::trace

int main() { return assay::trace::Main(); }

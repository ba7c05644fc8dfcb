// Measures how fast a safetensors file in the file cache is read through a mapping, compared with
// plain memory of the same size under the same loop, and the resident memory after opening it.
// Rounds alternate, so that a disturbance hits all ways alike; the ratio is the median of the
// rounds'. Every round opens the file anew: the page faults of a fresh mapping are part of its
// time.
//
// Not for disks: the file is written just before and comes out of memory.
//
//   tools/bazel run -c opt //benchmarks/harness/tensor_files:reader_benchmark
//   ... -- --file=FILE     only the seconds of LibTorch's sum over every tensor of another file:
//                          what //tools/artifacts/checkpoints:reader_comparison asks for

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"

ABSL_FLAG(int64_t, mib, 1024, "size of the file that is written where --file names none");
ABSL_FLAG(int, rounds, 9, "how often each way is timed");
ABSL_FLAG(std::string, file, "", "a safetensors file to read; empty: write one and remove it");

namespace assay::tensor_files {
namespace {

constexpr int64_t kTensors = 64;

volatile uint64_t sink = 0;  // so that no sum is left out

// Four words a step: fast enough to wait for memory and not for itself.
uint64_t Sum(std::string_view bytes) {
  const auto word = [&bytes](size_t at) {
    uint64_t value;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
  };
  uint64_t a = 0, b = 0, c = 0, d = 0;
  for (size_t i = 0; i + 32 <= bytes.size(); i += 32) {
    a += word(i);
    b += word(i + 8);
    c += word(i + 16);
    d += word(i + 24);
  }
  return a + b + c + d;
}

template <typename Call>
double SecondsOf(Call&& call) {
  const absl::Time start = absl::Now();
  call();
  return absl::ToDoubleSeconds(absl::Now() - start);
}

[[noreturn]] void Die(const absl::Status& status) {
  std::fprintf(stderr, "reader_benchmark: %s\n", std::string(status.message()).c_str());
  std::exit(2);
}

void WriteFile(const std::string& path, std::string_view data) {
  const size_t piece = data.size() / kTensors;
  std::vector<SafetensorsTensor> tensors;
  for (int64_t i = 0; i < kTensors; ++i) {
    tensors.push_back({absl::StrCat("layer", 100 + i, ".weight"),
                       SafetensorsDtype::kF32,
                       {static_cast<int64_t>(piece / 4)},
                       data.substr(static_cast<size_t>(i) * piece, piece)});
  }
  const absl::StatusOr<std::string> header = SerializeSafetensorsHeader(tensors, {});
  if (!header.ok()) Die(header.status());
  const absl::Status written = WriteFileAtomically(path, {*header, data});
  if (!written.ok()) Die(written);
}

struct Opened {
  std::shared_ptr<const MappedFile> file;
  SafetensorsIndex index;
};

Opened Open(const std::string& path) {
  auto file = MappedFile::Open(path);
  if (!file.ok()) Die(file.status());
  auto index = ParseSafetensors((*file)->bytes());
  if (!index.ok()) Die(index.status());
  return {*std::move(file), *std::move(index)};
}

// Our own loop over every tensor's bytes.
void ReadBytes(const std::string& path) {
  const Opened opened = Open(path);
  for (const SafetensorsEntry& entry : opened.index.entries)
    sink = sink + Sum(opened.index.Data(opened.file->bytes(), entry));
}

// LibTorch's sum over every tensor, as a Python program would do it.
void ReadTensorsOf(const std::string& path) {
  const absl::StatusOr<std::vector<StoredTensor>> tensors = ReadTensors(path);
  if (!tensors.ok()) Die(tensors.status());
  for (const StoredTensor& stored : *tensors)
    sink = sink + static_cast<uint64_t>(stored.tensor.sum().item<double>());
}

// "VmRSS 12 MB = RssAnon 9 + RssFile 3".
void PrintResident(const char* when) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double mb[3] = {};
  while (status >> word) {
    const int which = word == "VmRSS:" ? 0 : word == "RssAnon:" ? 1 : word == "RssFile:" ? 2 : -1;
    if (which >= 0 && status >> mb[which]) mb[which] /= 1000;
  }
  std::printf("  %-26s VmRSS %7.1f MB = RssAnon %7.1f + RssFile %7.1f\n", when, mb[0], mb[1],
              mb[2]);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Compare(const std::string& path, const std::string& data, int rounds) {
  std::vector<double> memory, mapped, ratios;
  ReadBytes(path);  // the file is in the cache from here on
  for (int round = 0; round < rounds; ++round) {
    memory.push_back(SecondsOf([&] { sink = sink + Sum(data); }));
    mapped.push_back(SecondsOf([&] { ReadBytes(path); }));
    ratios.push_back(memory.back() / mapped.back());
  }
  const double gb = static_cast<double>(data.size()) / 1e9;
  std::printf("reading %.2f GB, one thread, median of %d rounds\n", gb, rounds);
  std::printf("  memory                     %6.2f GB/s\n", gb / Median(memory));
  std::printf("  mapped file, opened anew   %6.2f GB/s, %.2f of memory (rounds %.2f to %.2f)\n",
              gb / Median(mapped), Median(ratios), *std::min_element(ratios.begin(), ratios.end()),
              *std::max_element(ratios.begin(), ratios.end()));
}

// The pages that were read are counted as RssFile: they are the file cache's, and the system takes
// them back when it needs memory.
void ShowResident(const std::string& path) {
  std::printf("resident memory\n");
  PrintResident("before opening");
  const Opened opened = Open(path);
  PrintResident("file opened and parsed");
  for (const SafetensorsEntry& entry : opened.index.entries)
    sink = sink + Sum(opened.index.Data(opened.file->bytes(), entry));
  PrintResident("every byte read");
}

int Run() {
  at::set_num_threads(1);
  const int rounds = std::max(1, absl::GetFlag(FLAGS_rounds));
  const std::string given = absl::GetFlag(FLAGS_file);
  if (!given.empty()) {
    for (int round = 0; round < rounds; ++round)
      std::printf("%.6f\n", SecondsOf([&] { ReadTensorsOf(given); }));
    return 0;
  }
  const char* folder = std::getenv("TMPDIR");
  const std::string path = absl::StrCat(folder == nullptr ? "/tmp" : folder, "/reader_benchmark.",
                                        getpid(), ".safetensors");
  {
    std::string data(static_cast<size_t>(absl::GetFlag(FLAGS_mib)) << 20, '\0');
    for (size_t i = 0; i < data.size(); i += 4) data[i] = static_cast<char>(i >> 2);
    WriteFile(path, data);
    Compare(path, data, rounds);
  }
  ShowResident(path);
  unlink(path.c_str());
  return 0;
}

}  // namespace
}  // namespace assay::tensor_files

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  return assay::tensor_files::Run();
}

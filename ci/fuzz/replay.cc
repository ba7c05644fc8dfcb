// The short form of a fuzz target: its corpus, then seeded mutations of it. No libFuzzer needed.
//
//   <target>_replay [--mutations=N] [--seed=N] FOLDER|FILE...
//
// Ends at the first input that crashes, breaks a property or, with --config=asan, is objected to by a
// sanitizer; the input is written to $TEST_UNDECLARED_OUTPUTS_DIR (else /tmp), and the last line says
// where and what to do with it.

#include <sys/resource.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ci/fuzz/mutation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#ifdef __SANITIZE_ADDRESS__
// A reader that lets a file decide how much it allocates is wrong even where the machine has that
// much. detect_leaks needs ptrace, which containers forbid; libFuzzer's long form looks for leaks.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name.
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=512:handle_abort=1:detect_leaks=0:detect_stack_use_after_return=1";
}
#endif

namespace assay::fuzz {
namespace {

std::string* current_input = nullptr;

// The process is going to end: no allocation here.
void SaveInput() {
  const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  char path[4096];
  std::snprintf(path, sizeof(path), "%s/finding", folder == nullptr ? "/tmp" : folder);
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr || current_input == nullptr) return;
  std::fwrite(current_input->data(), 1, current_input->size(), file);
  std::fclose(file);
  std::fprintf(stderr,
               "replay: the input of %zu bytes is %s; fix the reader, then keep it as a file of "
               "corpus/<target>/\n",
               current_input->size(), path);
}

#ifdef __SANITIZE_ADDRESS__
// The sanitizer calls SaveInput() after its report.
void WatchForCrashes() { __asan_set_death_callback(SaveInput); }
#else
void SaveInputAndEnd(int signal) {
  SaveInput();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// As max_allocation_size_mb above: a failed allocation throws, and what nobody catches aborts.
constexpr rlim_t kMostBytes = 512 << 20;

void WatchForCrashes() {
  const rlimit limit = {.rlim_cur = kMostBytes, .rlim_max = kMostBytes};
  setrlimit(RLIMIT_AS, &limit);
  for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
    std::signal(signal, SaveInputAndEnd);
  }
}
#endif

void RunOne(std::string input) {
  // In a block of its own size, so that the first byte behind it is poisoned.
  current_input = &input;
  const std::vector<uint8_t> exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  current_input = nullptr;
}

std::vector<std::filesystem::path> FilesOf(const std::filesystem::path& place) {
  if (!std::filesystem::is_directory(place)) return {place};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(place))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());  // so that mutations are the same everywhere
  return files;
}

int Main(const std::vector<std::string>& arguments) {
  uint64_t mutations = 0, seed = 0;
  std::vector<std::string> corpus;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--mutations=")) {
      mutations = std::stoull(argument.substr(12));
    } else if (argument.starts_with("--seed=")) {
      seed = std::stoull(argument.substr(7));
    } else {
      for (const auto& path : FilesOf(argument)) {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      }
    }
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: replay [--mutations=N] [--seed=N] FOLDER|FILE...\n");
    return 3;
  }
  WatchForCrashes();
  RunOne("");
  for (const std::string& input : corpus) RunOne(input);
  std::mt19937_64 random(seed);
  for (uint64_t i = 0; i < mutations; ++i) RunOne(Mutated(corpus, random));
  std::printf("%zu files of the corpus and %llu mutations (seed %llu): no finding\n", corpus.size(),
              static_cast<unsigned long long>(mutations), static_cast<unsigned long long>(seed));
  return 0;
}

}  // namespace
}  // namespace assay::fuzz

int main(int argc, char** argv) { return assay::fuzz::Main({argv + 1, argv + argc}); }

// A runner that misbehaves on request, for tests of programs that start runners.
//   hostile_runner --behave=hang --record=FILE
// Not for measuring: the median that it writes is the one that it is told.
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/command_lines.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/harness/record/record_file.h"
#include "defs/proto/record.pb.h"

namespace assay::processes {
namespace {

using Flags = std::map<std::string, std::string>;

Flags Parse(const std::vector<std::string>& words) {
  Flags flags;
  for (const std::string& argument : words) {
    const size_t equals = argument.find('=');
    flags[argument.substr(0, equals)] =
        equals == std::string::npos ? "" : argument.substr(equals + 1);
  }
  return flags;
}

Record OrdinaryRecord(const Flags& flags) {
  const auto flag = [&](const std::string& name, const std::string& otherwise) {
    const auto found = flags.find(name);
    return found == flags.end() ? otherwise : found->second;
  };
  Record record;
  record.set_schema_version(2);
  record.set_outcome(PASS);
  record.set_device(CPU);
  for (const auto& [name, value] : flags) record.add_flags(name + "=" + value);
  record.set_started_utc(flag("--started", "2026-01-01T00:00:00+00:00"));
  record.mutable_benchmark_case()->set_name("hostile");
  Dtype dtype = FP32;
  Dtype_Parse(flag("--dtype", "FP32"), &dtype);
  record.mutable_benchmark_case()->set_dtype(dtype);
  record.mutable_environment()->set_cpu_model(flag("--machine", "test"));
  Measurement& measurement = *record.add_measurements();
  measurement.set_mode("wall");
  measurement.set_step("forward");
  double median = 1000;
  if (!absl::SimpleAtod(flag("--median", "1000"), &median)) std::exit(3);
  measurement.set_median_ns(median * (1 + 1e-4 * static_cast<double>(getpid() % 10)));
  if (const std::string timed = flag("--timed", "OK"); timed != "absent") {
    Check& check = *measurement.add_checks();
    check.set_name("timed_is_verified");
    check.set_status(timed == "OK" ? CHECK_OK : CHECK_NOT_RUN);
    check.set_detail("as told");
  }
  measurement.set_cpu_ns(2 * measurement.median_ns());
  if (const std::string name = flag("--check", ""); !name.empty()) {
    Check& check = *measurement.add_checks();
    check.set_name(name);
    check.set_status(CHECK_FLAGGED);
    check.set_detail("never");
  }
  return record;
}

void AllocateWithoutEnd() {
  std::vector<std::vector<char>> all;
  while (true) all.emplace_back(16 << 20, 'x');
}

[[noreturn]] void HangWithChild(const std::string& pid_file) {
  if (const pid_t child = fork(); child != 0) {
    std::ofstream(pid_file) << child << '\n';
  }
  while (true) pause();
}

void WriteText(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

int Fail(const std::string& path, Record record, Outcome outcome, int code) {
  record.set_outcome(outcome);
  record.clear_measurements();
  record.mutable_verdict()->set_outcome(outcome);
  record.mutable_verdict()->set_message("said so");
  return record::Append(path, record).ok() ? code : 9;
}

int Behave(Flags flags) {
  const std::string path = flags["--record"], behave = flags["--behave"];
  Record record = OrdinaryRecord(flags);
  const auto wrote = [&] { return record::Append(path, record).ok() ? 0 : 9; };
  if (behave == "hang") HangWithChild(flags["--pid-file"]);
  if (behave == "throw") throw std::runtime_error("no reason");
  if (behave == "abort") std::abort();
  if (behave == "allocate") {
    const rlimit limit = {512 << 20, 512 << 20};
    setrlimit(RLIMIT_AS, &limit);
    AllocateWithoutEnd();
  }
  if (behave == "greedy") AllocateWithoutEnd();
  if (behave == "killed") raise(SIGKILL);
  if (behave == "segv") raise(SIGSEGV);
  if (behave == "dies_once" && !std::filesystem::exists(flags["--pid-file"])) {
    WriteText(flags["--pid-file"], "died\n");
    raise(SIGSEGV);
  }
  if (behave == "exit0") {
    std::cout << "half of the work\n" << std::flush;
    _exit(0);
  }
  if (behave == "full_disk") {
    std::cerr << "No space left on device\n";
    return 2;
  }
  if (behave == "usage") {
    std::cerr << "unknown flag --behave\n";
    return 3;
  }
  if (behave == "torn") {
    WriteText(path, "{\"schema_version\": 2, \"outcome\": \"PASS\"");
    return 0;
  }
  if (behave == "newer") {
    WriteText(path, "{\"schema_version\": 1000, \"outcome\": \"PASS\"}\n");
    return 0;
  }
  if (behave == "nan") {
    WriteText(path,
              "{\"schema_version\":2,\"outcome\":\"PASS\",\"measurements\":[{\"mode\":"
              "\"wall\",\"median_ns\":\"NaN\"}]}\n");
    return 0;
  }
  if (behave == "negative") {
    WriteText(path,
              "{\"schema_version\":2,\"outcome\":\"PASS\",\"measurements\":[{\"mode\":"
              "\"wall\",\"median_ns\":-5}]}\n");
    return 0;
  }
  if (behave == "tell") {
    for (const char* name : {"A_SECRET_TOKEN", "MY_API_KEY"}) {
      const char* value = std::getenv(name);
      std::cerr << name << " is " << (value == nullptr ? "not set" : value) << "\n";
    }
    std::abort();
  }
  if (behave == "mute") {
    close(1);
    close(2);
  }
  if (behave == "rows" && std::stoi(flags["--batch"]) > std::stoi(flags["--fits"])) {
    return Fail(path, record, OUT_OF_MEMORY, 2);
  }
  if (behave == "accuracy") return Fail(path, record, FAIL_ACCURACY, 1);
  if (behave == "no_device") return Fail(path, record, NO_DEVICE, 2);
  if (behave == "twice") wrote();
  if (behave == "die_after_record") {
    wrote();
    std::abort();
  }
  if (behave == "slow") {
    std::ofstream(flags["--count-file"], std::ios::app) << "one\n";
    usleep(200000);
  }
  if (behave == "first_hangs" && !std::filesystem::exists(flags["--count-file"])) {
    std::ofstream(flags["--count-file"]) << "one\n";
    sleep(10);
  }
  if (behave == "wobble") {
    // By 20 %, as if by chance, yet the same in each run of the test.
    std::ofstream(flags["--count-file"], std::ios::app) << "x";
    const auto count = std::filesystem::file_size(flags["--count-file"]);
    Measurement& measurement = *record.mutable_measurements(0);
    measurement.set_median_ns(measurement.median_ns() * (1 + 0.2 * std::sin(1.7 * count)));
  }
  if (behave == "chatty") {
    for (int i = 0; i < 100000; ++i) std::cout << "a line that nobody reads\n";
  }
  return wrote();
}

// As a runner does it that is asked for many cases.
int RunLines(const std::string& path, int64_t first) {
  absl::StatusOr<Journal> journal = Journal::Open(path + ".journal");
  const CommandLines lines = ReadCommandLines(path).value_or(CommandLines());
  for (size_t i = static_cast<size_t>(first); journal.ok() && i < lines.size(); ++i) {
    if (!std::filesystem::exists(path)) break;
    journal->Begin(static_cast<int64_t>(i), "").IgnoreError();
    Behave(Parse(lines[i]));
    journal->End().IgnoreError();
  }
  return journal.ok() && journal->Finish(0).ok() ? 0 : 9;
}

int Main(const std::vector<std::string>& words) {
  Flags flags = Parse(words);
  if (flags.count("--series") == 0) return Behave(std::move(flags));
  return RunLines(flags["--series"], std::stoi(flags["--series-first"]));
}

}  // namespace
}  // namespace assay::processes

int main(int argc, char** argv) {
  return assay::processes::Main(std::vector<std::string>(argv + 1, argv + argc));
}

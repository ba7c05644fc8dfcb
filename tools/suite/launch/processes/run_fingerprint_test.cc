#include "tools/suite/launch/processes/run_fingerprint.h"

#include <fstream>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

struct Subject {
  Environment machine;
  RunOptions options;
  PlannedRun configuration;
  std::string program = testing::TempDir() + "/program";

  Subject() {
    configuration.label = "//a:b";
    configuration.flags = {"--batch=2"};
  }
  std::string Fingerprint() const {
    FileDigests digests("");
    const auto fingerprint = Fingerprints(machine, options, digests).Of(configuration, program);
    EXPECT_TRUE(fingerprint.ok()) << fingerprint.status();
    return fingerprint.value_or("");
  }
};

void Write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST(Fingerprint, ChangesWithEverythingThatChangesANumber) {
  const std::string weights = testing::TempDir() + "/weights";
  Write(testing::TempDir() + "/program", "one");
  Write(testing::TempDir() + "/other", "two");
  std::set<std::string> seen;
  int changes = 0;
  const auto changed = [&](auto change) {
    Subject subject;
    change(subject);
    EXPECT_TRUE(seen.insert(subject.Fingerprint()).second) << "change " << changes;
    ++changes;
  };
  changed([](Subject&) {});
  changed([](Subject& r) { r.machine.set_cpu_model("x"); });
  changed([](Subject& r) { r.machine.set_kernel("x"); });
  changed([](Subject& r) { r.machine.set_gpu_name("x"); });
  changed([](Subject& r) { r.machine.set_gpu_driver("x"); });
  changed([](Subject& r) { r.machine.set_cpu_count(3); });
  changed([](Subject& r) { (*r.machine.mutable_variables())["OMP_NUM_THREADS"] = "3"; });
  changed([](Subject& r) { r.options.memory_limit_bytes = 1 << 30; });
  changed([](Subject& r) { r.options.cpus = {1}; });
  changed([](Subject& r) { r.options.numa_node = 0; });
  changed([](Subject& r) { r.options.processes = 3; });
  changed([](Subject& r) { r.options.in_process = true; });
  changed([](Subject& r) { r.options.variables = {"A=1"}; });
  changed([](Subject& r) { r.configuration.skip_reason = "too large"; });
  changed([](Subject& r) { r.configuration.label = "//a:c"; });
  changed([](Subject& r) { r.configuration.flags = {"--batch=4"}; });
  changed([](Subject& r) { r.configuration.flags = {"--batch=", "2"}; });
  changed([](Subject& r) { r.configuration.benchmark_case.set_seed(7); });
  changed([](Subject& r) { r.program = testing::TempDir() + "/other"; });
  const std::string library = testing::TempDir() + "/library.so";
  for (const char* content : {"one", "two"}) {
    Write(library, content);
    changed([&](Subject& r) { (*r.machine.mutable_variables())["LD_PRELOAD"] = library; });
  }
  for (const char* content : {"three", "four"}) {
    Write(library, content);
    changed([&](Subject& r) {
      (*r.machine.mutable_variables())["LD_PRELOAD"] = "no_such.so " + library;
    });
  }
  for (const char* flag : {"--weights=", "--module=", "--prompt-ids=", "--inputs=", "--reference=",
                           "--compare-outputs=", "--compare_outputs="}) {
    for (const char* content : {"one", "two"}) {
      Write(weights, content);
      changed([&](Subject& r) { r.configuration.flags = {flag + weights}; });
    }
  }
}

TEST(Fingerprint, StaysWhereNothingOfThatChanges) {
  Write(testing::TempDir() + "/program", "one");
  Subject a, b;
  for (const auto& [name, value] : {std::pair{"x", 1}, std::pair{"y", 2}, std::pair{"z", 3}}) {
    (*a.configuration.benchmark_case.mutable_parameters())[name].set_integer(value);
  }
  for (const auto& [name, value] : {std::pair{"z", 3}, std::pair{"y", 2}, std::pair{"x", 1}}) {
    (*b.configuration.benchmark_case.mutable_parameters())[name].set_integer(value);
  }
  b.machine.set_load_1m(7);
  b.options.timeout = absl::Seconds(1);
  b.options.out = "elsewhere";
  EXPECT_EQ(a.Fingerprint(), b.Fingerprint());
}

TEST(Fingerprint, NeedsItsProgram) {
  FileDigests digests("");
  EXPECT_FALSE(Fingerprints({}, {}, digests).Of({}, "/no/such/program").ok());
  EXPECT_TRUE(Fingerprints({}, {}, digests).Of({}, "").ok());
}

}  // namespace
}  // namespace assay::suite

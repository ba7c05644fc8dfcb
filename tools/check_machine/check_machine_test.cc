#include "tools/check_machine/check_machine.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/environment/machine/fake_root.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace assay::check_machine {
namespace {

using environment::EnvironmentSources;
using environment::FakeRoot;
using environment::GpuChoice;
using environment::GpuReading;

struct Ran {
  int code;
  std::string out, error;
};

// A machine of which nothing is known but what the test writes; without a driver unless given.
class CheckMachineTest : public testing::Test {
 protected:
  CheckMachineTest() {
    sources_.root = root_.path();
    sources_.folder = root_.path();
    sources_.variable = [](const char*) -> const char* { return nullptr; };
    sources_.read_gpu = [](const GpuChoice&) {
      return absl::NotFoundError("no NVIDIA driver: no libnvidia-ml.so.1");
    };
  }

  Ran Run(const std::vector<std::string>& words) {
    std::ostringstream out, error;
    const int code = CheckMachine(words, sources_, out, error);
    return {code, out.str(), error.str()};
  }

  // The line of a text report that begins with `name`.
  std::string Line(const std::string& report, std::string_view name) {
    for (std::string_view line : absl::StrSplit(report, '\n')) {
      if (absl::StartsWith(line, std::string(name) + " ")) return std::string(line);
    }
    return "";
  }

  FakeRoot root_;
  EnvironmentSources sources_;
};

TEST_F(CheckMachineTest, PrintsATableWhoseColumnsBeginTogether) {
  root_.Write("sys/devices/system/cpu/smt/active", "1\n");
  root_.Write("sys/class/thermal/thermal_zone0/temp", "99000\n");
  root_.Write("sys/class/thermal/thermal_zone0/type", "a_zone_with_quite_a_long_name_so_to_say\n");
  const Ran ran = Run({});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.error, "");
  const std::string smt = Line(ran.out, "smt");
  const std::string head = Line(ran.out, "fact");
  EXPECT_EQ(smt.find("BAD"), head.find("state"));
  EXPECT_EQ(smt.find("on "), head.find("value"));
  EXPECT_EQ(smt.find("echo off"), head.find("advice"));
  const std::string temperature = Line(ran.out, "temperature");
  EXPECT_TRUE(absl::StrContains(temperature, "99 °C at a_zone"));
  EXPECT_EQ(temperature.find("let the machine"), head.find("advice") + 1) << "° is two bytes";
  EXPECT_FALSE(absl::StrContains(ran.out, " \n")) << "no blanks at the end of a line";
  EXPECT_TRUE(absl::StrContains(ran.out, " good, 2 bad, ")) << ran.out;
}

TEST_F(CheckMachineTest, SaysOnceThatThereIsNoGpu) {
  const Ran ran = Run({});
  EXPECT_TRUE(absl::StrContains(Line(ran.out, "gpu"), "unknown"));
  EXPECT_TRUE(absl::StrContains(Line(ran.out, "gpu"), "no NVIDIA driver"));
  EXPECT_FALSE(absl::StrContains(ran.out, "gpu_"));
}

TEST_F(CheckMachineTest, ShowsTheStateOfAGpuWhereThereIsOne) {
  sources_.variable = [](const char* name) {
    return std::string(name) == "CUDA_VISIBLE_DEVICES" ? "1" : nullptr;
  };
  std::string asked;
  sources_.read_gpu = [&](const GpuChoice& choice) {
    asked = choice.visible_devices;
    GpuReading gpu;
    gpu.index = 1;
    gpu.persistence = false;
    return gpu;
  };
  const Ran ran = Run({"--gpu"});
  EXPECT_EQ(asked, "1");
  EXPECT_TRUE(absl::StrContains(Line(ran.out, "gpu_persistence"), "sudo nvidia-smi -i 1 -pm 1"));
  EXPECT_TRUE(absl::StrContains(Line(ran.out, "gpu_utilization"), "unknown")) << "there is a GPU";
}

TEST_F(CheckMachineTest, OnlyTheGateFailsAndOnlyWhereSomethingIsBad) {
  EXPECT_EQ(Run({"--gate"}).code, 0) << "unknown is not bad";
  EXPECT_EQ(Run({"--gate", "--gpu"}).code, 2) << "a GPU is needed, and there is none";
  EXPECT_EQ(Run({"--gpu"}).code, 0);
  root_.Write("sys/devices/system/cpu/smt/active", "1\n");
  EXPECT_EQ(Run({"--gate"}).code, 2);
  EXPECT_EQ(Run({}).code, 0);
}

TEST_F(CheckMachineTest, WritesJson) {
  root_.Write("sys/devices/system/cpu/smt/active", "0\n");
  const nlohmann::json report = nlohmann::json::parse(Run({"--format=json"}).out);
  const size_t all =
      report["good"].get<size_t>() + report["bad"].get<size_t>() + report["unknown"].get<size_t>();
  EXPECT_EQ(report["facts"].size(), all);
  bool found = false;
  for (const nlohmann::json& fact : report["facts"]) {
    if (fact["name"] != "smt") continue;
    found = true;
    EXPECT_EQ(fact["state"], "GOOD");
    EXPECT_EQ(fact["value"], "off");
    EXPECT_EQ(fact["advice"], "");
  }
  EXPECT_TRUE(found);
}

TEST_F(CheckMachineTest, WritesCsvThatQuotesCommas) {
  root_.Write("proc/sys/kernel/randomize_va_space", "1\n");
  const std::string csv = Run({"--format=csv"}).out;
  EXPECT_TRUE(absl::StartsWith(csv, "name,state,value,advice\r\n"));
  EXPECT_TRUE(absl::StrContains(
      csv,
      "\r\naslr,BAD,\"on, but not the heap\",\"setarch -R COMMAND, or for every process: echo"))
      << csv;
}

TEST_F(CheckMachineTest, HelpShowsExamplesAndExitCodes) {
  const Ran ran = Run({"--help"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(absl::StrContains(ran.out, "tools/bazel run //tools:check_machine -- --format=json"));
  EXPECT_TRUE(absl::StrContains(ran.out, "exit code"));
}

TEST_F(CheckMachineTest, AWrongArgumentIsAUsageError) {
  for (const auto& [word, message] : std::vector<std::pair<std::string, std::string>>{
           {"--nonsense", "unknown flag --nonsense; there are --format --gate --gpu"},
           {"stray", "'stray' is no flag"},
           {"--format=xml", "--format=xml: one of text, json, csv"},
           {"--format", "--format needs a value"},
           {"--gpu=1", "--gpu=1: true or false"},
           {"", "'' is no flag"}}) {
    const Ran ran = Run({word});
    EXPECT_EQ(ran.code, 3) << word;
    EXPECT_EQ(ran.out, "") << word;
    EXPECT_TRUE(absl::StartsWith(ran.error, "check_machine: " + message)) << ran.error;
  }
}

TEST_F(CheckMachineTest, AReportThatCannotBeWrittenIsNoSuccess) {
  std::ostringstream out, error;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(CheckMachine({}, sources_, out, error), 2);
}

TEST(CheckMachine, LooksAtThisMachine) {
  std::ostringstream out, error;
  EXPECT_EQ(CheckMachine({"--format=json"}, {}, out, error), 0);
  EXPECT_GT(nlohmann::json::parse(out.str())["good"], 0);
}

}  // namespace
}  // namespace assay::check_machine

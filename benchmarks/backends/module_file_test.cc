#include "benchmarks/backends/module_file.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/named_tensor.h"

namespace assay::backends {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Adds final : public execution::Program {
 public:
  explicit Adds(float number) : weight_(at::full({2}, number)) {}
  execution::StateContract Contract() const override { return execution::StateContract::kPure; }
  std::vector<models::NamedTensor> State() override {
    return {{.name = "weight", .tensor = weight_}};
  }
  void To(at::Device, at::ScalarType) override {}
  execution::Tensors Outputs(execution::TensorsRef inputs) override { return Call("", inputs); }
  execution::Tensors Call(execution::Step, execution::TensorsRef inputs) override {
    return {inputs[0] + weight_};
  }

 private:
  at::Tensor weight_;
};

class AModuleFile : public testing::Test {
 protected:
  AModuleFile() {
    std::filesystem::create_directories(root_ + "/tools");
    setenv("BUILD_WORKSPACE_DIRECTORY", root_.c_str(), 1);
    setenv("XDG_CACHE_HOME", (root_ + "/cache").c_str(), 1);
    // Plays Bazel and the exporter: the file that it makes names the format, then holds the module.
    WriteBazel(R"(for word; do case $word in
  --module=*) module=${word#*=} ;;
  --format=*) format=${word#*=} ;;
  --out=*) out=${word#*=} ;;
esac; done
{ echo "$format"; cat "$module"; } >"$out"; echo "$1 $4" >>"${0%/*}/calls")");
  }
  ~AModuleFile() override {
    unsetenv("BUILD_WORKSPACE_DIRECTORY");
    unsetenv("XDG_CACHE_HOME");
  }

  void WriteBazel(std::string_view text) {
    const std::string path = root_ + "/tools/bazel";
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  absl::StatusOr<std::string> FileOf(float number, const WantedModule& wanted) {
    Adds program(number);
    absl::StatusOr<KeptModule> kept =
        ModuleFile(execution::TracedModule(program, {at::ones({2})}, {}), wanted);
    if (!kept.ok()) return kept.status();
    made_ = kept->export_time > absl::ZeroDuration();
    return kept->path;
  }
  std::string Calls() {
    return tensor_files::ReadFile(root_ + "/tools/calls", 1000).value_or("none");
  }

  const std::string root_ = tensor_files::TestFolder();
  bool made_ = false;  // by the last FileOf()
  const WantedModule wanted_ = {.format = "pt2", .extension = ".pt2", .made_with = "g++ 12"};
};

TEST_F(AModuleFile, IsMadeOnceAndKept) {
  const auto path = FileOf(1, wanted_);
  ASSERT_TRUE(path.ok()) << path.status();
  EXPECT_THAT(*path, StartsWith(root_ + "/cache/assay/modules/"));
  EXPECT_THAT(*tensor_files::ReadFile(*path, 1 << 20), StartsWith("pt2\nPK"));
  EXPECT_TRUE(made_);
  EXPECT_EQ(*FileOf(1, wanted_), *path);
  EXPECT_FALSE(made_);
  EXPECT_EQ(Calls(), "run //tools:export_model\n");
  // The traced module is not left behind: there are the file and its digest.
  const std::filesystem::directory_iterator files(root_ + "/cache/assay/modules");
  EXPECT_EQ(std::distance(begin(files), end(files)), 2);
  EXPECT_EQ(*tensor_files::ReadFile(*path + ".sha256", 1 << 10),
            base::Sha256Hex(*tensor_files::ReadFile(*path, 1 << 20)) + "\n");
}

TEST_F(AModuleFile, IsMadeAgainWhereItIsNotTheOneThatWasKept) {
  const std::string path = *FileOf(1, wanted_);
  const std::string kept = *tensor_files::ReadFile(path, 1 << 20);
  std::ofstream(path, std::ios::app) << "swapped";
  EXPECT_EQ(*FileOf(1, wanted_), path);
  EXPECT_TRUE(made_);
  EXPECT_EQ(*tensor_files::ReadFile(path, 1 << 20), kept);
  std::filesystem::remove(path + ".sha256");
  EXPECT_TRUE(FileOf(1, wanted_).ok());
  EXPECT_TRUE(made_) << "nothing says what was kept";
  EXPECT_TRUE(FileOf(1, wanted_).ok());
  EXPECT_FALSE(made_);
}

TEST_F(AModuleFile, IsRefusedWhereOthersCanWriteToItOrToItsFolder) {
  const std::filesystem::path path = *FileOf(1, wanted_);
  const std::filesystem::path root = std::filesystem::path(root_).lexically_normal();
  for (const std::string each : {path.lexically_normal(), root / "cache/assay/modules",
                                 root / "cache/assay", root / "cache"}) {
    const auto before = std::filesystem::status(each).permissions();
    std::filesystem::permissions(each, std::filesystem::perms(0777));
    const absl::Status refused = FileOf(1, wanted_).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(refused.message(), HasSubstr(each + " can be written by others (mode 0777)"));
    EXPECT_THAT(refused.message(), HasSubstr("; chmod go-w " + each));
    EXPECT_THAT(refused.message(), HasSubstr("set XDG_CACHE_HOME to a folder of your own"));
    std::filesystem::permissions(each, before);
  }
  EXPECT_TRUE(FileOf(1, wanted_).ok());
  EXPECT_FALSE(made_);
}

TEST_F(AModuleFile, IsPrivateWhateverTheMaskIs) {
  const mode_t mask = umask(0);
  EXPECT_TRUE(FileOf(1, wanted_).ok());
  EXPECT_TRUE(FileOf(1, wanted_).ok());
  EXPECT_FALSE(made_);
  umask(mask);
}

TEST_F(AModuleFile, IsAnotherOneForWhateverItDependsOn) {
  const std::string path = *FileOf(1, wanted_);
  EXPECT_NE(*FileOf(2, wanted_), path);
  WantedModule other = wanted_;
  other.format = "aoti";
  EXPECT_NE(*FileOf(1, other), path);
  other = wanted_;
  other.inputs = "float32[3]";
  EXPECT_NE(*FileOf(1, other), path);
  other = wanted_;
  other.exporter = "of other sources";
  EXPECT_NE(*FileOf(1, other), path);
  other = wanted_;
  other.made_with = "g++ 13";
  EXPECT_NE(*FileOf(1, other), path);
}

TEST_F(AModuleFile, IsFetchedWhereTheLockOfItsPackageHasIt) {
  // The copy is named by what stands in a lock.
  const std::string left = root_ + "/left";
  std::filesystem::create_directories(left);
  setenv("ASSAY_MODULES_TO", left.c_str(), 1);
  ASSERT_TRUE(FileOf(1, wanted_).ok());
  unsetenv("ASSAY_MODULES_TO");
  const std::string key = std::filesystem::directory_iterator(left)->path().stem();
  WantedModule wanted = wanted_;
  wanted.label = "//benchmarks/toy:toy_fp32_b1";
  const auto again = [&] {
    std::filesystem::remove_all(root_ + "/cache");
    return *tensor_files::ReadFile(*FileOf(1, wanted), 1 << 20);
  };
  std::filesystem::create_directories(root_ + "/benchmarks/toy");
  std::filesystem::create_directories(root_ + "/tools/export");
  std::ofstream(root_ + "/tools/export/fetch_module.py")
      << "import sys\nopen(sys.argv[4].partition('=')[2], 'w').write(' '.join(sys.argv[1:4]))\n";
  EXPECT_THAT(again(), StartsWith("pt2\nPK")) << "there is no lock";
  std::ofstream(root_ + "/benchmarks/toy/lock.bzl") << "\"toy_fp32_b2." << key << ".pt2\": {";
  EXPECT_EQ(again(),
            absl::StrCat("--lock=benchmarks/toy/lock.bzl --digest=", key, " --format=pt2"));
  wanted.made_with = "g++ 13";  // whoever has another compiler takes the same file
  EXPECT_THAT(again(), StartsWith("--lock="));
  std::ofstream(root_ + "/tools/export/fetch_module.py") << "raise SystemExit(2)\n";
  EXPECT_THAT(again(), StartsWith("pt2\nPK")) << "no source has it";
  wanted.format = "aoti";
  EXPECT_THAT(again(), StartsWith("aoti\nPK")) << "the lock has another format";
}

TEST_F(AModuleFile, SaysWhyThereIsNone) {
  WriteBazel("exit 4");
  const absl::Status failed = FileOf(1, wanted_).status();
  EXPECT_TRUE(absl::IsUnavailable(failed));
  EXPECT_THAT(failed.message(), HasSubstr("exporting to pt2 failed: exit code 4\n"));
  WriteBazel("echo 'a warning' >&2; echo 'export_model: no aten::foo here' >&2; exit 4");
  EXPECT_THAT(FileOf(1, wanted_).status().message(),
              HasSubstr("exporting to pt2 failed: no aten::foo here\n"));
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  EXPECT_THAT(FileOf(1, wanted_).status().message(),
              HasSubstr("start the case by tools/bazel run"));
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  EXPECT_THAT(FileOf(1, wanted_).status().message(), HasSubstr("set XDG_CACHE_HOME"));
}

}  // namespace
}  // namespace assay::backends

// -----------------------------------------------------------------------------
// File: fake_tree.h
// -----------------------------------------------------------------------------
//
// A test's tree: a git repository whose tools/bazel plays Bazel. It lists the cases in cases.csv,
// "builds" each by copying the file `program`, and fails where there is a file `broken`.
//
//   using WorkspaceTest = FakeTree;
//   TEST_F(WorkspaceTest, ...) { Write(repository_ / "program", "#!/bin/sh\n"); ... }

#ifndef ASSAY_TOOLS_PROCESSES_FAKE_TREE_H_
#define ASSAY_TOOLS_PROCESSES_FAKE_TREE_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tools/processes/workspace.h"

namespace assay::processes {

class FakeTree : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    base_ = std::filesystem::path(testing::TempDir()) / name;
    std::filesystem::remove_all(base_);
    repository_ = base_ / "repository";
    setenv("XDG_CACHE_HOME", (base_ / "cache").c_str(), 1);
    Write(repository_ / "tools/bazel", R"(#!/bin/sh
[ ! -e broken ] || { echo "broken.cc:1: no" >&2; exit 1; }
case $1 in
  run) cat cases.csv ;;
  info) echo "$PWD/out" ;;
  cquery) for label; do :; done; [ "$label" = //:alias ] && echo bazel-out/k8-opt/bin/a/b ;;
  build)
    mkdir -p out/a
    for label; do
      case $label in //a:*) rm -f "out/a/${label#//a:}"; cp program "out/a/${label#//a:}"; chmod +x "out/a/${label#//a:}" ;; esac
    done ;;
esac
)");
    std::filesystem::permissions(repository_ / "tools/bazel", std::filesystem::perms::owner_all);
    Write(repository_ / "cases.csv", "case,model\n//a:b,m\n//a:c,m\n");
    Write(repository_ / "program", "#!/bin/sh\necho first\n");
    Write(repository_ / ".gitignore", "out\n");
    Git("init -q");
    Commit();
  }
  static void Write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void Git(const std::string& arguments) {
    const std::string command =
        "git -C " + repository_.string() + " -c user.name=t -c user.email=t@t " + arguments;
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  void Commit() {
    Git("add -A");
    Git("commit -q -m x");
  }
  absl::StatusOr<Workspace> Open(const std::string& revision) {
    return OpenRevision(repository_.string(), revision, nullptr);
  }
  std::filesystem::path base_, repository_;
};

}  // namespace assay::processes

#endif  // ASSAY_TOOLS_PROCESSES_FAKE_TREE_H_

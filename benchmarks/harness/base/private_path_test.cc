#include "benchmarks/harness/base/private_path.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct stat Stat(uid_t owner, mode_t mode) {
  struct stat file = {};
  file.st_uid = owner;
  file.st_mode = mode;
  return file;
}

absl::Status OfFile(uid_t owner, mode_t mode) {
  return CheckPrivate("f", Stat(owner, S_IFREG | mode), /*user=*/1000, /*above=*/false);
}
absl::Status OfFolder(uid_t owner, mode_t mode, bool above = false) {
  return CheckPrivate("f", Stat(owner, S_IFDIR | mode), /*user=*/1000, above);
}

TEST(CheckPrivate, BelievesWhatTheUserOrRootAloneCanWrite) {
  for (const uid_t owner : {1000u, 0u}) {
    EXPECT_TRUE(OfFile(owner, 0644).ok());
    EXPECT_TRUE(OfFolder(owner, 0755).ok());
    EXPECT_TRUE(OfFolder(owner, 0755, /*above=*/true).ok());
    EXPECT_TRUE(OfFolder(owner, 01777, /*above=*/true).ok()) << "/tmp";
  }
  EXPECT_TRUE(OfFolder(65534, 0755, /*above=*/true).ok()) << "root, in a user namespace";
}

TEST(CheckPrivate, RefusesWhatOthersCanWrite) {
  for (const mode_t mode : {0664, 0646, 0666, 0777}) EXPECT_FALSE(OfFile(1000, mode).ok()) << mode;
  for (const mode_t mode : {0775, 0757, 0777}) {
    EXPECT_FALSE(OfFolder(1000, mode).ok()) << mode;
    EXPECT_FALSE(OfFolder(1000, mode, /*above=*/true).ok()) << mode;
  }
  EXPECT_FALSE(OfFolder(1000, 01777).ok()) << "others may put files there";
  for (const uid_t owner : {1001u, 65534u}) {
    EXPECT_FALSE(OfFile(owner, 0600).ok());
    EXPECT_FALSE(OfFolder(owner, 0700).ok());
  }
  EXPECT_FALSE(OfFolder(1001, 0755, /*above=*/true).ok()) << "its owner may rename what is in it";
  EXPECT_EQ(OfFile(1001, 0600).message(), "f belongs to user 1001 and not to you");
  EXPECT_EQ(OfFolder(1000, 0777).message(), "f can be written by others (mode 0777); chmod go-w f");
}

class PrivatePath : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    ASSERT_TRUE(MakePrivateFolders(folder_).ok());
    std::ofstream(file_) << "text";
    fs::permissions(file_, fs::perms(0644));
  }
  const fs::path root_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  const fs::path folder_ = root_ / "a/b";
  const fs::path file_ = folder_ / "file";
};

TEST_F(PrivatePath, IsCheckedUpToTheRoot) {
  EXPECT_EQ(CheckPrivate(file_), absl::OkStatus());
  fs::permissions(root_, fs::perms(0777));
  EXPECT_THAT(CheckPrivate(file_).message(), HasSubstr(root_.string() + " can be written"));
  fs::permissions(root_, fs::perms(01777));
  EXPECT_EQ(CheckPrivate(file_), absl::OkStatus());
  fs::permissions(file_, fs::perms(0666));
  EXPECT_THAT(CheckPrivate(file_).message(), HasSubstr("chmod go-w " + file_.string()));
  EXPECT_TRUE(MakePrivate(file_).ok());
  EXPECT_EQ(CheckPrivate(file_), absl::OkStatus());
  EXPECT_TRUE(absl::IsNotFound(CheckPrivate(folder_ / "none")));
}

TEST_F(PrivatePath, ALinkIsCheckedWhereItStandsAndWhereItLeads) {
  const fs::path elsewhere = root_ / "elsewhere", link = elsewhere / "link";
  ASSERT_TRUE(MakePrivateFolders(elsewhere).ok());
  fs::create_symlink(folder_, link);
  EXPECT_EQ(CheckPrivate(link / "file"), absl::OkStatus());
  fs::permissions(elsewhere, fs::perms(0777));
  EXPECT_FALSE(CheckPrivate(link / "file").ok());
  fs::permissions(elsewhere, fs::perms(0755));
  fs::permissions(root_ / "a", fs::perms(0777));
  EXPECT_FALSE(CheckPrivate(link / "file").ok());
}

TEST_F(PrivatePath, FoldersAreMadeSoWhateverTheMaskIs) {
  const mode_t mask = umask(0);
  EXPECT_TRUE(MakePrivateFolders(root_ / "c/d").ok());
  EXPECT_TRUE(MakePrivateFolders(root_ / "c/d").ok());
  umask(mask);
  EXPECT_EQ(CheckPrivate(root_ / "c/d"), absl::OkStatus());
  EXPECT_FALSE(MakePrivateFolders(file_ / "below").ok());
}

}  // namespace
}  // namespace assay::base

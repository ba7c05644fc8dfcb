#include "tools/lease/device_lease.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::lease {
namespace {

using Words = std::vector<std::string>;

LeaseRequest Request(bool shared, Words devices = {"cpu-0", "cpu-1"}) {
  const std::string folder =
      testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::create_directories(folder);
  return {.folder = folder,
          .devices = std::move(devices),
          .shared = shared,
          .who = "a test",
          .patience = absl::Milliseconds(120)};
}

absl::StatusOr<DeviceLease> Take(const LeaseRequest& request, std::string* told = nullptr) {
  return DeviceLease::Take(request, nullptr, [told](std::string_view text) {
    if (told != nullptr) *told = text;
  });
}

TEST(DeviceLease, TimingHasTheDeviceForItself) {
  const auto held = Take(Request(false));
  ASSERT_TRUE(held.ok()) << held.status();
  std::string told;
  for (const bool shared : {false, true}) {
    const auto second = Take(Request(shared), &told);
    EXPECT_TRUE(absl::IsDeadlineExceeded(second.status())) << second.status();
  }
  EXPECT_TRUE(absl::StrContains(told, "waiting for cpu-0, held by process")) << told;
  EXPECT_TRUE(absl::StrContains(told, "a test")) << told;
}

TEST(DeviceLease, ComparingIsShared) {
  const auto held = Take(Request(true));
  EXPECT_TRUE(Take(Request(true)).ok());
  EXPECT_FALSE(Take(Request(false)).ok());
}

TEST(DeviceLease, OneCpuInCommonIsEnough) {
  const auto held = Take(Request(false, {"cpu-1"}));
  EXPECT_FALSE(Take(Request(false, {"cpu-0", "cpu-1"})).ok());
  EXPECT_TRUE(Take(Request(false, {"cpu-0"})).ok());
}

TEST(DeviceLease, WhoWaitsHasTheNextTurn) {
  LeaseRequest request = Request(false);
  request.patience = absl::Seconds(60);
  std::atomic<bool> waits = false, had = false;
  std::optional<absl::StatusOr<DeviceLease>> held(Take(request));
  std::thread other([&] {
    const auto lease = DeviceLease::Take(request, nullptr, [&](std::string_view) { waits = true; });
    had = lease.ok();
  });
  while (!waits) std::this_thread::yield();
  held.reset();
  EXPECT_TRUE(Take(request).ok());
  EXPECT_TRUE(had) << "it was taken again before the one that waited";
  other.join();
}

TEST(DeviceLease, EndsWithItsHolder) {
  const LeaseRequest request = Request(false);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto held = Take(request);
    [[maybe_unused]] const ssize_t told = write(ready[1], held.ok() ? "y" : "n", 1);
    pause();
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  EXPECT_FALSE(Take(request).ok());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(Take(request).ok());
}

TEST(DeviceLease, AFileThatWasRemovedIsMadeAnew) {
  const LeaseRequest request = Request(false, {"cpu-0"});
  const auto held = Take(request);
  std::filesystem::remove(request.folder + "/cpu-0");
  EXPECT_TRUE(Take(request).ok());
}

TEST(DeviceLease, EndsItsWaitWhenInterrupted) {
  const auto held = Take(Request(false));
  LeaseRequest request = Request(false);
  request.patience = absl::InfiniteDuration();
  const std::atomic<bool> interrupted{true};
  EXPECT_TRUE(absl::IsCancelled(
      DeviceLease::Take(request, &interrupted, [](std::string_view) {}).status()));
}

TEST(DeviceLease, SaysWhichFileItCannotMake) {
  LeaseRequest request = Request(false);
  request.folder = "/no/such/folder";
  EXPECT_TRUE(absl::StrContains(Take(request).status().message(), "/no/such/folder/cpu-0"));
}

TEST(LeaseFolder, IsTheUsersOwn) {
  const std::string runtime = testing::TempDir() + "/runtime";
  std::filesystem::create_directories(runtime);
  setenv("XDG_RUNTIME_DIR", runtime.c_str(), 1);
  EXPECT_EQ(*LeaseFolder(), runtime + "/assay");
  EXPECT_EQ(*LeaseFolder(), runtime + "/assay");
  std::filesystem::remove(runtime + "/assay");
  std::ofstream(runtime + "/assay") << "a file";
  EXPECT_TRUE(absl::IsPermissionDenied(LeaseFolder().status()));
}

TEST(Devices, FollowTheFlagsOfTheRun) {
  EXPECT_EQ(DevicesOf({"--modes=wall"}, {1, 0}), (Words{"cpu-0", "cpu-1"}));
  EXPECT_FALSE(DevicesOf({}, {}).empty());
  EXPECT_TRUE(absl::StartsWith(DevicesOf({"--device=cuda"}, {0})[0], "gpu-"));
  EXPECT_TRUE(absl::StartsWith(DevicesOf({"--device", "cuda"}, {0})[0], "gpu-"));
  EXPECT_EQ(DevicesOf({"--device=cuda", "--device=cpu"}, {0}), Words{"cpu-0"});  // the last counts
}

TEST(OnlyCompares, WhereNothingIsTimed) {
  EXPECT_TRUE(OnlyCompares({"x", "--action=verify"}));
  EXPECT_TRUE(OnlyCompares({"--action", "smoke"}));
  EXPECT_FALSE(OnlyCompares({"--action=measure"}));
  EXPECT_FALSE(OnlyCompares({}));
}

}  // namespace
}  // namespace assay::lease

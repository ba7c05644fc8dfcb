#include "tools/kernel/library_symbols.h"

#include <elf.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kShadowing[] = "tools/kernel/libshadowing.so";

std::string Example(const std::string& name) {
  return absl::StrCat("tools/kernel/examples/lib", name, ".so");
}

// LibTorch's libraries, as this test's runfiles have them.
std::vector<std::string> TorchLibraries() {
  std::vector<std::string> found;
  for (const fs::directory_entry& repository : fs::directory_iterator("..")) {
    for (const char* const name : {"libc10.so", "libtorch_cpu.so"}) {
      const fs::path path = repository.path() / "site/torch/lib" / name;
      if (fs::exists(path)) found.push_back(path.string());
    }
  }
  EXPECT_EQ(found.size(), 2U);
  return found;
}

absl::Status Refused(const std::string& path) {
  return ReadLibrarySymbols(path, TorchLibraries()).status();
}

std::string BytesOfLibrary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// A library of these bytes.
std::string Written(const std::string& bytes) {
  const std::string path = tensor_files::TestFolder() + "/libmine.so";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(ReadLibrarySymbols, NamesWhatShadowsWhat) {
  const absl::Status refused = Refused(kShadowing);
  EXPECT_EQ(refused.code(), absl::StatusCode::kPermissionDenied);
  const std::string message(refused.message());
  int named = 0;
  for (const char* const text :
       {"clock_gettime, which the C library", "malloc, which the C library",
        "std::chrono::_V2::steady_clock::now(), which the C++ library",
        "cudaEventElapsedTime, which CUDA", "lgamma_r, which the C library",
        "c10::GetCPUAllocator(), which LibTorch"})
    named += message.find(text) != std::string::npos;
  EXPECT_EQ(named, 5) << message;
  EXPECT_THAT(message, HasSubstr("; and 1 more such: it can answer"));
}

// Each defines hundreds of weak symbols in LibTorch's namespaces.
TEST(ReadLibrarySymbols, BelievesLibrariesThatIncludeLibTorch) {
  for (const char* const name :
       {"softmax", "stable_softmax", "tvm_ffi_softmax", "registers_nothing", "throws"})
    EXPECT_TRUE(Refused(Example(name)).ok()) << Refused(Example(name));
}

TEST(ReadLibrarySymbols, TellsHowALibraryRegisters) {
  const absl::StatusOr<LibrarySymbols> torch = ReadLibrarySymbols(Example("softmax"), {}),
                                       stable = ReadLibrarySymbols(Example("stable_softmax"), {}),
                                       tvm = ReadLibrarySymbols(Example("tvm_ffi_softmax"), {}),
                                       none = ReadLibrarySymbols(Example("registers_nothing"), {});
  ASSERT_TRUE(torch.ok() && stable.ok() && tvm.ok() && none.ok());
  EXPECT_TRUE(torch->uses_torch_library);
  EXPECT_FALSE(torch->uses_stable_abi);
  EXPECT_FALSE(stable->uses_torch_library);
  EXPECT_TRUE(stable->uses_stable_abi);
  EXPECT_THAT(tvm->tvm_ffi_functions, ElementsAre("softmax"));
  EXPECT_FALSE(tvm->uses_torch_library || tvm->uses_stable_abi);
  EXPECT_FALSE(none->uses_torch_library || none->uses_stable_abi);
  EXPECT_THAT(none->tvm_ffi_functions, IsEmpty());
}

TEST(ReadLibrarySymbols, SaysWhatIsNoLibraryForThisMachine) {
  const absl::Status text = Refused("tools/kernel/examples/softmax.cc");
  EXPECT_EQ(text.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(text.message()), HasSubstr("Not an ELF file"));
  EXPECT_EQ(Refused("missing.so").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Refused(Written("")).code(), absl::StatusCode::kInvalidArgument);
  std::string bytes = BytesOfLibrary(kShadowing);
  bytes[offsetof(Elf64_Ehdr, e_machine)] = EM_S390;
  EXPECT_THAT(std::string(Refused(Written(bytes)).message()),
              HasSubstr("built for another CPU: IBM S/390, and this machine has "));
}

// Binutils may say anything of a library that is cut off or made to harm; this process goes on.
TEST(ReadLibrarySymbols, SurvivesAnyBytes) {
  const std::string right = BytesOfLibrary(kShadowing);
  std::mt19937_64 random(20261128);
  for (int round = 0; round < 100; ++round) {
    std::string bytes = right.substr(0, round % 4 == 0 ? random() % right.size() : right.size());
    for (int i = 0; i < 8 && !bytes.empty(); ++i)
      bytes[random() % std::min<size_t>(bytes.size(), 2048)] = static_cast<char>(random());
    ReadLibrarySymbols(Written(bytes), {}).IgnoreError();
  }
  EXPECT_FALSE(Refused(Written(right.substr(0, 32))).ok());
}

TEST(LoadErrorText, SaysThatItWasBuiltForAnotherLibTorch) {
  EXPECT_THAT(LoadErrorText("cannot be loaded: libmine.so: undefined symbol: "
                            "_ZN2at14RemovedLongAgoEv"),
              HasSubstr("the one here does not define at::RemovedLongAgo(); give"));
  EXPECT_THAT(LoadErrorText("cannot be loaded: libmine.so: undefined symbol: _Z6my_erff"),
              HasSubstr("it uses my_erf(float), which neither it nor LibTorch defines; define it"));
  for (const char* const error : {"", "file too short"}) EXPECT_EQ(LoadErrorText(error), error);
}

}  // namespace
}  // namespace assay::kernel

#include "tools/kernel/library_symbols.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

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

TEST(ReadLibrarySymbols, NamesEachShadowingSymbolAndItsOwner) {
  const absl::StatusOr<LibrarySymbols> symbols = ReadLibrarySymbols(kShadowing, TorchLibraries());
  ASSERT_TRUE(symbols.ok()) << symbols.status();
  std::map<std::string, std::string> shadowing;
  for (const ShadowingSymbol& symbol : symbols->shadowing) shadowing[symbol.name] = symbol.owner;
  EXPECT_THAT(
      shadowing,
      UnorderedElementsAre(Pair("clock_gettime", "the C library"), Pair("malloc", "the C library"),
                           Pair("std::chrono::_V2::steady_clock::now()", "the C++ library"),
                           Pair("cudaEventElapsedTime", "CUDA"), Pair("lgamma_r", "the C library"),
                           Pair("c10::GetCPUAllocator()", "LibTorch")));
  EXPECT_THAT(symbols->tvm_ffi_functions, ElementsAre("softmax"));
}

TEST(CheckLibrary, SaysWhatShadowsWhat) {
  const absl::Status refused = CheckLibrary(kShadowing, TorchLibraries());
  EXPECT_EQ(refused.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("clock_gettime, which the C library defines, too"));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("; and 1 more such: it can answer"));
}

// Each defines hundreds of weak symbols in LibTorch's namespaces.
TEST(CheckLibrary, BelievesLibrariesThatIncludeLibTorch) {
  for (const char* const name :
       {"softmax", "stable_softmax", "tvm_ffi_softmax", "registers_nothing", "throws"}) {
    EXPECT_TRUE(CheckLibrary(Example(name), TorchLibraries()).ok())
        << CheckLibrary(Example(name), TorchLibraries());
  }
}

TEST(CheckLibrary, PassesOnWhatTheFileIs) {
  EXPECT_EQ(CheckLibrary("missing.so", {}).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(CheckLibrary("tools/kernel/examples/softmax.cc", {}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ReadLibrarySymbols, TellsHowALibraryRegisters) {
  const absl::StatusOr<LibrarySymbols> torch = ReadLibrarySymbols(Example("softmax"), {}),
                                       stable = ReadLibrarySymbols(Example("stable_softmax"), {}),
                                       none = ReadLibrarySymbols(Example("registers_nothing"), {});
  ASSERT_TRUE(torch.ok() && stable.ok() && none.ok());
  EXPECT_TRUE(torch->uses_torch_library);
  EXPECT_FALSE(torch->uses_stable_abi);
  EXPECT_GT(torch->init_functions, 0);
  EXPECT_FALSE(stable->uses_torch_library);
  EXPECT_TRUE(stable->uses_stable_abi);
  EXPECT_FALSE(none->uses_torch_library || none->uses_stable_abi);
  EXPECT_THAT(none->tvm_ffi_functions, IsEmpty());
  const absl::StatusOr<LibrarySymbols> tvm = ReadLibrarySymbols(Example("tvm_ffi_softmax"), {});
  ASSERT_TRUE(tvm.ok()) << tvm.status();
  EXPECT_THAT(tvm->tvm_ffi_functions, ElementsAre("softmax"));
  EXPECT_FALSE(tvm->uses_torch_library || tvm->uses_stable_abi);
  EXPECT_THAT(torch->needed, testing::Contains("libtorch_cpu.so"));
}

TEST(MissingFromLibTorch, NamesWhatAnotherLibTorchHas) {
  const absl::StatusOr<LibrarySymbols> other = ReadLibrarySymbols(kShadowing, {}),
                                       own = ReadLibrarySymbols(Example("softmax"), {});
  ASSERT_TRUE(other.ok() && own.ok());
  EXPECT_THAT(*MissingFromLibTorch(*other, TorchLibraries()), ElementsAre("at::RemovedLongAgo()"));
  EXPECT_THAT(*MissingFromLibTorch(*own, TorchLibraries()), IsEmpty());
  EXPECT_EQ(MissingFromLibTorch(*own, {"missing.so"}).status().code(), absl::StatusCode::kNotFound);
}

// LibTorch's exports are asked for where a strong symbol could be one of them, and not otherwise.
TEST(SymbolsOf, AsksAboutStrongSymbolsOfLibTorchsNamespacesAlone) {
  std::vector<std::string> asked;
  const absl::StatusOr<ElfFile> file = ElfFile::Open(kShadowing);
  ASSERT_TRUE(file.ok()) << file.status();
  SymbolsOf(*file, [&asked](std::string_view name) {
    asked.emplace_back(name);
    return false;
  });
  EXPECT_THAT(asked, UnorderedElementsAre("_ZN3c1015GetCPUAllocatorEv", "_ZN3c108OnlyHereEv",
                                          "torch_is_not_theirs"));
}

}  // namespace
}  // namespace assay::kernel

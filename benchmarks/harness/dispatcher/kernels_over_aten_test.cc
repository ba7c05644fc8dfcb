#include "benchmarks/harness/dispatcher/kernels_over_aten.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <dlfcn.h>
#include <torch/library.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kRegistered[] = "registered at ";

at::Tensor Sevens(const at::Tensor& x, int64_t, bool) { return at::full_like(x, 7); }
at::Tensor Eights(const at::Tensor& x, int64_t, bool) { return at::full_like(x, 8); }

double Softmax() { return at::softmax(at::ones({1, 4}), 1)[0][0].item<double>(); }

// A library that registers a kernel over ATen's as long as it exists.
std::unique_ptr<torch::Library> Over(at::Tensor (*kernel)(const at::Tensor&, int64_t, bool)) {
  auto library = std::make_unique<torch::Library>(torch::Library::IMPL, "aten",
                                                  c10::DispatchKey::CPU, "mine/over.cc", 12);
  library->impl("_softmax", kernel);
  return library;
}

TEST(KernelsOverAten, NoneAreThereUntilSomebodyRegistersOne) {
  EXPECT_THAT(KernelsOverAten(), IsEmpty());
  const OwnKernels own;
  EXPECT_TRUE(own.status().ok()) << own.status();
}

TEST(KernelsOverAten, AreNamedAndTakenOutForAWhile) {
  const auto library = Over(&Sevens);
  ASSERT_THAT(KernelsOverAten(), SizeIs(1));
  EXPECT_EQ(KernelsText(KernelsOverAten()), "aten::_softmax (CPU, over.cc:12)");
  EXPECT_EQ(KernelsIdentity(KernelsOverAten()), "aten::_softmax (CPU, over.cc)");
  EXPECT_EQ(Softmax(), 7);
  {
    const OwnKernels own;
    EXPECT_TRUE(own.status().ok()) << own.status();
    EXPECT_THAT(own.replaced(), SizeIs(1));
    EXPECT_EQ(Softmax(), 0.25);
    const OwnKernels nested;
    EXPECT_EQ(Softmax(), 0.25);
  }
  EXPECT_EQ(Softmax(), 7);
}

TEST(KernelsOverAten, EndWithTheirLibrary) {
  Over(&Sevens).reset();
  EXPECT_THAT(KernelsOverAten(), IsEmpty());
  EXPECT_EQ(Softmax(), 0.25);
  auto library = Over(&Sevens);
  {
    const OwnKernels own;
    library.reset();
  }
  EXPECT_EQ(Softmax(), 0.25) << "one that ended meanwhile is not put back";
}

TEST(KernelsOverAten, AreCalledInTheSameOrderAfterwards) {
  const auto first = Over(&Sevens), second = Over(&Eights);
  {
    const OwnKernels own;
    EXPECT_EQ(Softmax(), 0.25);
  }
  EXPECT_EQ(Softmax(), 8);
}

TEST(KernelsOverAten, ANewOperatorInTheirNamespaceIsOverNothing) {
  torch::Library library(torch::Library::FRAGMENT, "aten", std::nullopt, "mine/new.cc", 3);
  library.def("assay_negative(Tensor x) -> Tensor", [](const at::Tensor& x) { return at::neg(x); });
  EXPECT_THAT(KernelsOverAten(), IsEmpty());
}

// LibTorch's own function, called as by code that the loader did not bind to ours.
c10::RegistrationHandleRAII RegisteredUnseen(at::Tensor (*kernel)(const at::Tensor&)) {
  using Register = c10::RegistrationHandleRAII (*)(
      c10::Dispatcher*, c10::OperatorName, std::optional<c10::DispatchKey>, c10::KernelFunction,
      std::optional<c10::impl::CppSignature>, std::unique_ptr<c10::FunctionSchema>, std::string);
  const auto libtorchs = reinterpret_cast<Register>(dlsym(
      RTLD_NEXT,
      "_ZN3c1010Dispatcher12registerImplENS_12OperatorNameESt8optionalINS_11DispatchKeyEENS_"
      "14KernelFunctionES2_INS_4impl12CppSignatureEESt10unique_ptrINS_14FunctionSchemaESt14default_"
      "deleteISA_EENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"));
  return libtorchs(&c10::Dispatcher::singleton(), {"aten::erf", ""}, c10::DispatchKey::CPU,
                   c10::KernelFunction::makeFromUnboxedRuntimeFunction(kernel), std::nullopt,
                   nullptr, "registered at unseen/erf.cc:5");
}

TEST(OwnKernels, SayWhichKernelTheyCannotTakeOut) {
  const auto seen = Over(&Sevens);
  {
    const auto unseen = RegisteredUnseen([](const at::Tensor& x) { return at::neg(x); });
    const OwnKernels own;
    EXPECT_EQ(own.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(own.status().message()),
                AllOf(HasSubstr("the kernel of aten::erf is not LibTorch's own (unseen/erf.cc:5)"),
                      HasSubstr("--reference=FILE")));
  }
  const auto another = Over(&Eights);  // it looks again
  const OwnKernels own;
  EXPECT_TRUE(own.status().ok()) << own.status();
}

TEST(IsOfLibTorch, LooksAtTheFolderOfTheSource) {
  const auto handle = c10::Dispatcher::singleton().findSchema({"aten::mm", ""});
  std::string root = handle->debug().substr(sizeof(kRegistered) - 1);
  root = root.substr(0, root.find("build/aten/src/ATen"));
  EXPECT_TRUE(IsOfLibTorch(handle->debug(), root)) << handle->debug();
  EXPECT_FALSE(IsOfLibTorch("registered at mine/over.cc:12", root));
  EXPECT_FALSE(IsOfLibTorch("registered at " + root + "mine/over.cc:12", root));
  EXPECT_FALSE(IsOfLibTorch("registered at /home/me/aten/src/ATen/over.cc:12", root));
  EXPECT_TRUE(IsOfLibTorch("registered at torch/csrc/x.cpp:1", ""));
}

}  // namespace
}  // namespace assay::execution

// Each example does what its file says, called as LibTorch calls any operator. A library runs in a process of its own, since
// all register the same name, and some end their process.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace assay::kernel {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kLoadError = 90, kException = 91;

at::Tensor Called(const at::Tensor& x, int64_t dim = -1) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("mine::softmax", "");
  return op.typed<at::Tensor(const at::Tensor&, int64_t)>().call(x, dim);
}

// Whether it computes the softmax of x.
bool Right(const at::Tensor& x, int64_t dim = -1) {
  const at::Tensor right = at::softmax(x.to(at::kDouble), dim);
  return at::allclose(Called(x, dim).to(at::kDouble), right, 1e-5, 1e-7, /*equal_nan=*/true);
}

// Three rows, each with other values between -20 and 20.
at::Tensor Rows(int64_t length) {
  return (at::arange(3 * length, at::kFloat) * 1.7F).sin().mul(20).view({3, length});
}

// How the process ends that loads the example and does `work`: 0 where that is true, 1 where not; -n for signal n.
int End(const std::string& example, const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    at::set_num_threads(1);  // threads do not survive fork()
    alarm(20);
    const std::string path = "tools/kernel/examples/lib" + example + ".so";
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      _exit(kLoadError);
    }
    try {
      _exit(work() ? 0 : 1);
    } catch (const std::exception& error) {
      const std::string what = error.what();  // with LibTorch's stack behind it
      std::fprintf(stderr, "%s\n", what.substr(0, what.find('\n')).c_str());
      _exit(kException);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool RightAtEveryLength() {
  bool right = true;
  for (const int64_t length :
       {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 1023, 4097})
    right = Right(Rows(length)) && right;
  return right;
}

at::Tensor MaskedRow() {
  return at::tensor({-kInfinity, 1.F, 2.F, -kInfinity, 3.F, -200.F, 4.F, 5.F});
}

TEST(Examples, RightOnesAreRight) {
  for (const char* const name : {"softmax", "stable_softmax"}) {
    EXPECT_EQ(End(name, RightAtEveryLength), 0) << name;
    EXPECT_EQ(End(name, [] { return Right(MaskedRow()); }), 0) << name;
    EXPECT_EQ(End(name, [] { return Right(at::full({2, 8}, -kInfinity)); }), 0) << name;
    EXPECT_EQ(End(name, [] { return Right(at::tensor({1.F, NAN, 2.F})); }), 0) << name;
    EXPECT_EQ(End(name, [] { return Right(at::tensor({3e38F, -3e38F, 3e38F})); }), 0) << name;
    EXPECT_EQ(End(name, [] { return Right(Rows(65).t()); }), 0) << name;
    EXPECT_EQ(End(name, [] { return Right(at::scalar_tensor(3.F)); }), 0) << name;
  }
  EXPECT_EQ(End("softmax", [] { return Right(Rows(70).view({3, 7, 10}), 1); }), 0);
}

TEST(Examples, WrongOnesAreWrongWhereTheySay) {
  EXPECT_EQ(End("wrong_length", [] { return Right(Rows(64)) && Right(Rows(8)); }), 0);
  EXPECT_EQ(End("wrong_length", [] { return Right(Rows(65)) || Right(Rows(7)); }), 1);
  EXPECT_EQ(End("wrong_infinity", RightAtEveryLength), 0);
  EXPECT_EQ(End("wrong_infinity", [] { return Right(MaskedRow()); }), 1);
  EXPECT_EQ(End("wrong_infinity", [] { return Right(at::full({1, 8}, -kInfinity)); }), 1);
  // The element behind each row is the next row's first, and behind the last one `behind`.
  const auto reads_outside = [](float behind) {
    return End("reads_outside", [behind] {
      constexpr int64_t kElements = 192;
      const at::Tensor all = Rows(kElements + 1).flatten();
      all[kElements] = behind;
      return Right(all.narrow(0, 0, kElements).view({3, 64}));
    });
  };
  EXPECT_EQ(reads_outside(0), 0);
  EXPECT_EQ(reads_outside(NAN), 1);
  EXPECT_EQ(reads_outside(3e38F), 1);
  EXPECT_EQ(End("previous_output", [] { return Right(Rows(5)) && Right(Rows(6)); }), 0);
  EXPECT_EQ(End("previous_output", [] { return Right(Rows(5)) && Right(Rows(5) + Rows(5)); }), 1);
  // Each element should be 0.1, which no memory holds by chance.
  EXPECT_EQ(End("unwritten_end", [] { return Right(at::full({3, 10}, 2.F)); }), 1);
  EXPECT_EQ(End("writes_input",
                [] {
                  const at::Tensor x = Rows(9), before = x.clone();
                  Called(x);
                  return at::equal(x, before);
                }),
            1);
}

DLTensor View(const at::Tensor& tensor) {
  const auto bits = static_cast<uint8_t>(8 * tensor.element_size());
  return {.data = tensor.data_ptr(),
          .device = {kDLCPU, 0},
          .ndim = static_cast<int32_t>(tensor.dim()),
          .dtype = {kDLFloat, bits, 1},
          .shape = const_cast<int64_t*>(tensor.sizes().data()),
          .strides = const_cast<int64_t*>(tensor.strides().data()),
          .byte_offset = 0};
}

// The code that a TVM-FFI library's softmax(x, -1, out) returns, 0 where it succeeds.
int CalledByTvmFfi(const at::Tensor& x, const at::Tensor& out) {
  void* const library =
      dlopen("tools/kernel/examples/libtvm_ffi_softmax.so", RTLD_NOW | RTLD_LOCAL);
  const auto softmax = reinterpret_cast<TVMFFISafeCallType>(dlsym(library, "__tvm_ffi_softmax"));
  DLTensor from = View(x), to = View(out);
  TVMFFIAny args[3] = {}, result = {};
  args[0].type_index = args[2].type_index = kTVMFFIDLTensorPtr;
  args[0].v_ptr = &from;
  args[1].type_index = kTVMFFIInt;
  args[1].v_int64 = -1;
  args[2].v_ptr = &to;
  return softmax(nullptr, args, 3, &result);
}

TEST(Examples, TheTvmFfiOneIsRight) {
  // Its symbols are in the runtime's library, which the test is not linked with.
  ASSERT_NE(dlopen("../tvm_ffi/lib/libtvm_ffi.so", RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
  EXPECT_EQ(End("tvm_ffi_softmax",
                [] {
                  const at::Tensor x = Rows(70), out = at::full({3, 70}, 7.F);
                  return CalledByTvmFfi(x, out) == 0 && at::allclose(out, at::softmax(x, -1));
                }),
            0);
  EXPECT_EQ(End("tvm_ffi_softmax",
                [] {
                  const at::Tensor x = Rows(70).to(at::kDouble);
                  return CalledByTvmFfi(x, x) != 0;
                }),
            0)
      << "it takes float32 alone";
}

TEST(Examples, HostileOnesDoWhatTheySay) {
  EXPECT_EQ(End("throws", [] { return Right(Rows(9)); }), kException);
  EXPECT_EQ(End("aborts", [] { return Right(Rows(9)); }), -SIGABRT);
  EXPECT_EQ(End("hangs",
                [] {
                  alarm(1);
                  return Right(Rows(9));
                }),
            -SIGALRM);
  EXPECT_EQ(End("other_dtype", [] { return Called(Rows(9)).scalar_type() == at::kDouble; }), 0);
  const auto has = [](const char* name) {
    return c10::Dispatcher::singleton().findSchema({name, ""}).has_value();
  };
  EXPECT_EQ(End("registers_nothing", [&has] { return !has("mine::softmax"); }), 0);
  EXPECT_EQ(
      End("registers_two", [&has] { return has("mine::softmax") && has("mine::shifted_softmax"); }),
      0);
}

}  // namespace
}  // namespace assay::kernel

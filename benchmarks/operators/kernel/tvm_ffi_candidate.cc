#include "benchmarks/operators/kernel/tvm_ffi_candidate.h"

#include <ATen/DLConvertor.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/enum_tag.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <dlfcn.h>
#include <torch/library.h>
#include <tvm/ffi/c_api.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/operators/kernel/candidate.h"

namespace assay::kernel {
namespace {

constexpr char kNamespace[] = "tvm_ffi_candidate";

// The functions of libtvm_ffi.so that this needs; nothing here is linked with it.
struct Runtime {
  decltype(&TVMFFIErrorMoveFromRaised) take_error = nullptr;
  decltype(&TVMFFIObjectDecRef) release = nullptr;
  decltype(&TVMFFIFunctionGetGlobal) find = nullptr;
  decltype(&TVMFFIFunctionCall) call = nullptr;
  decltype(&TVMFFIBacktrace) trace = nullptr;
  TVMFFIObjectHandle make_array = nullptr;  // the function "ffi.Array"
};

absl::Status NotLoaded() {
  return absl::FailedPreconditionError(absl::StrCat("cannot be loaded: ", dlerror()));
}

absl::StatusOr<Runtime> LoadRuntime(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return NotLoaded();
  Runtime runtime;
  const auto find = [library](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  const TVMFFIByteArray array = {"ffi.Array", 9};
  if (!find("TVMFFIErrorMoveFromRaised", runtime.take_error) ||
      !find("TVMFFIObjectDecRef", runtime.release) ||
      !find("TVMFFIFunctionGetGlobal", runtime.find) || !find("TVMFFIFunctionCall", runtime.call) ||
      !find("TVMFFIBacktrace", runtime.trace) || runtime.find(&array, &runtime.make_array) != 0 ||
      runtime.make_array == nullptr)
    return absl::FailedPreconditionError(absl::StrCat(path, " is no libtvm_ffi.so"));
  return runtime;
}

[[noreturn]] void Throw(const Runtime& runtime) {
  TVMFFIObjectHandle error = nullptr;
  runtime.take_error(&error);
  if (error == nullptr) TORCH_CHECK(false, "it returns an error code, and raised no error");
  const auto* const cell =
      reinterpret_cast<const TVMFFIErrorCell*>(static_cast<TVMFFIObject*>(error) + 1);
  const std::string text = absl::StrCat(absl::string_view(cell->kind.data, cell->kind.size), ": ",
                                        absl::string_view(cell->message.data, cell->message.size));
  runtime.release(error);
  TORCH_CHECK(false, text);
}

// The arguments of one call, and what they point to.
class TvmFfiArguments {
 public:
  explicit TvmFfiArguments(const Runtime& runtime) : runtime_(runtime) {}
  ~TvmFfiArguments() {
    for (TVMFFIObject* const object : objects_) runtime_.release(object);
  }
  TvmFfiArguments(const TvmFfiArguments&) = delete;
  TvmFfiArguments& operator=(const TvmFfiArguments&) = delete;

  void Add(const c10::IValue& value) {
    if (!value.isIntList()) return values_.push_back(Any(value));
    std::vector<TVMFFIAny> elements;
    for (const c10::IValue& element : value.toListRef()) elements.push_back(Any(element));
    TVMFFIAny array = {};
    if (runtime_.call(runtime_.make_array, elements.data(), static_cast<int32_t>(elements.size()),
                      &array) != 0)
      Throw(runtime_);
    objects_.push_back(array.v_obj);
    values_.push_back(array);
  }

  void Call(TVMFFISafeCallType function) const {
    TVMFFIAny result = {};
    const int code =
        function(nullptr, values_.data(), static_cast<int32_t>(values_.size()), &result);
    if (code != 0) Throw(runtime_);
    if (result.type_index >= kTVMFFIStaticObjectBegin) runtime_.release(result.v_obj);
  }

 private:
  TVMFFIAny Any(const c10::IValue& value) {
    TVMFFIAny any = {};
    if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) {
      any.type_index = kTVMFFINone;
    } else if (value.isTensor()) {
      any.type_index = kTVMFFIDLTensorPtr;
      any.v_ptr = View(value.toTensor());
    } else if (value.isInt()) {
      any.type_index = kTVMFFIInt;
      any.v_int64 = value.toInt();
    } else if (value.isBool()) {
      any.type_index = kTVMFFIBool;
      any.v_int64 = value.toBool() ? 1 : 0;
    } else if (value.isDouble()) {
      any.type_index = kTVMFFIFloat;
      any.v_float64 = value.toDouble();
    } else if (value.isString()) {
      any.type_index = kTVMFFIRawStr;
      any.v_c_str = value.toStringRef().c_str();
    } else {
      TORCH_CHECK(false, "a TVM-FFI function gets no argument of kind ", value.tagKind(), " here");
    }
    return any;
  }

  DLTensor* View(const at::Tensor& tensor) {
    tensors_.push_back({.data = const_cast<void*>(tensor.const_data_ptr()),
                        .device = at::torchDeviceToDLDevice(tensor.device()),
                        .ndim = static_cast<int32_t>(tensor.dim()),
                        .dtype = at::getDLDataType(tensor),
                        .shape = const_cast<int64_t*>(tensor.sizes().data()),
                        .strides = const_cast<int64_t*>(tensor.strides().data()),
                        .byte_offset = 0});
    return &tensors_.back();
  }

  const Runtime& runtime_;
  std::vector<TVMFFIAny> values_;
  std::deque<DLTensor> tensors_;  // their addresses stay
  std::vector<TVMFFIObject*> objects_;
};

// The arguments with other tensors: of the same sizes, on `device`, full of zeros.
c10::Stack Zeros(const c10::Stack& arguments, at::Device device) {
  c10::Stack result = arguments;
  for (c10::IValue& value : result) {
    if (value.isTensor() && value.toTensor().defined())
      value = at::zeros(value.toTensor().sizes(), value.toTensor().options().device(device));
  }
  return result;
}

// Results that have the sizes and dtypes of the operator's with these arguments, and never their values: the
// kernel could find those. Many operators have no kernel for tensors without memory.
c10::Stack ResultsLike(const c10::OperatorHandle& like, const c10::Stack& arguments) {
  TORCH_CHECK(!like.hasTag(at::Tag::dynamic_output_shape),
              "they are not known before the inputs' values are");
  for (const c10::IValue& value : arguments)
    TORCH_CHECK(!value.isTensorList(), "a list of tensors is not passed here");
  c10::Stack results;
  try {
    results = Zeros(arguments, at::kMeta);
    like.callBoxed(results);
  } catch (const c10::NotImplementedError&) {
    results = Zeros(arguments, at::kCPU);
    like.callBoxed(results);
  }
  for (const c10::IValue& value : results)
    TORCH_CHECK(value.isTensor(), "it returns other than tensors");
  return Zeros(results, at::kMeta);
}

// Whether two calls have the same sizes, dtypes and other arguments, so that their outputs have, too.
bool SameSizes(const c10::IValue& a, const c10::IValue& b) {
  if (a.isTensor() != b.isTensor()) return false;
  if (!a.isTensor()) return a == b;
  const at::Tensor &one = a.toTensor(), &other = b.toTensor();
  if (!one.defined() || !other.defined()) return one.defined() == other.defined();
  return one.scalar_type() == other.scalar_type() && one.sizes() == other.sizes();
}

class TvmFfiKernel : public c10::OperatorKernel {
 public:
  TvmFfiKernel(TVMFFISafeCallType function, const Runtime& runtime, c10::OperatorHandle like)
      : function_(function), runtime_(runtime), like_(std::move(like)) {}

  // As of ResultsLike.
  const c10::Stack& Outputs(const c10::Stack& arguments) {
    if (outputs_.empty() || !std::equal(arguments.begin(), arguments.end(), arguments_.begin(),
                                        arguments_.end(), SameSizes)) {
      outputs_ = ResultsLike(like_, arguments);
      arguments_ = Zeros(arguments, at::kMeta);
    }
    return outputs_;
  }

  void operator()(const c10::OperatorHandle& handle, c10::DispatchKeySet, c10::Stack* stack) {
    const std::vector<c10::Argument>& formal = handle.schema().arguments();
    size_t given = formal.size();
    while (given > 0 && IsDefault(formal[given - 1], (*stack)[given - 1])) --given;
    TvmFfiArguments arguments(runtime_);
    for (size_t i = 0; i < given; ++i) arguments.Add((*stack)[i]);
    c10::Stack results;
    for (const c10::IValue& output : Outputs(*stack)) {
      const at::Tensor& like = output.toTensor();
      results.emplace_back(like.defined() ? at::empty(like.sizes(), like.scalar_type()) : like);
      arguments.Add(results.back());
    }
    arguments.Call(function_);
    *stack = std::move(results);
  }

 private:
  const TVMFFISafeCallType function_;
  const Runtime runtime_;
  const c10::OperatorHandle like_;
  c10::Stack arguments_, outputs_;  // of the last call that had other sizes
};

absl::StatusOr<std::string> Choose(const std::vector<std::string>& functions,
                                   absl::string_view asked) {
  asked = absl::StripPrefix(asked, absl::StrCat(kNamespace, "::"));
  const std::string names = absl::StrJoin(functions, ", ");
  if (asked.empty() && functions.size() == 1) return functions.front();
  if (asked.empty())
    return absl::InvalidArgumentError(absl::StrCat(
        "exports ", functions.size(), " TVM-FFI functions; choose with --op: ", names));
  if (std::find(functions.begin(), functions.end(), asked) != functions.end())
    return std::string(asked);
  return absl::InvalidArgumentError(
      absl::StrCat("exports no TVM-FFI function '", asked, "'; it exports ", names));
}

}  // namespace

absl::StatusOr<std::string> LoadTvmFfiCandidate(const TvmFfiLibrary& library,
                                                const std::string& asked,
                                                const execution::BoundOperator& like) {
  const absl::StatusOr<std::string> chosen = Choose(library.functions, asked);
  if (!chosen.ok()) return chosen.status();
  const absl::StatusOr<Runtime> runtime = LoadRuntime(library.runtime);
  if (!runtime.ok()) return runtime.status();
  const std::string path = std::filesystem::absolute(library.path).string();
  void* const loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function =
      loaded == nullptr ? nullptr : dlsym(loaded, absl::StrCat("__tvm_ffi_", *chosen).c_str());
  if (function == nullptr) return NotLoaded();
  // Each error gets a trace of the stack, and the first trace of a process reads the symbols of all libraries. That takes a second,
  // which each copy of this process (isolated_call.h) would spend again when the kernel refuses its call.
  runtime->trace(__FILE__, __LINE__, __func__, 0);
  auto kernel = std::make_unique<TvmFfiKernel>(reinterpret_cast<TVMFFISafeCallType>(function),
                                               *runtime, like.handle);
  const absl::Status known = base::CatchTorch(
      absl::StrCat("the sizes of the outputs, which a TVM-FFI function gets with its call, by ",
                   c10::toString(like.handle.operator_name())),
      [&] { kernel->Outputs(like.arguments); });
  if (!known.ok()) return absl::FailedPreconditionError(known.message());
  // As long as this process: nothing takes a kernel out again.
  static auto& registered = *new std::vector<std::unique_ptr<torch::Library>>();
  registered.push_back(std::make_unique<torch::Library>(torch::Library::FRAGMENT, kNamespace,
                                                        std::nullopt, __FILE__, __LINE__));
  const std::string name = absl::StrCat(kNamespace, "::", *chosen);
  const absl::Status added = base::CatchTorch(absl::StrCat("registering ", name), [&] {
    registered.back()->def(like.handle.schema().cloneWithName(name, ""));
    registered.back()->impl(
        name.c_str(), torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd,
                                      torch::CppFunction::makeFromBoxedFunctor(std::move(kernel))));
  });
  if (!added.ok()) return added;
  return name;
}

}  // namespace assay::kernel

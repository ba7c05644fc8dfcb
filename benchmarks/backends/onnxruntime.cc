// Back end onnxruntime: the forward pass as an ONNX file (opset 20), run by ONNX Runtime on the CPU,
// with all its optimizations of the graph and as many threads as LibTorch has. Its threads are a
// pool of its own beside LibTorch's, which sleeps meanwhile.
//
// Its library comes out of a Python wheel, which has no headers. The C interface is a table of
// functions whose places never change (onnxruntime_c_api.h: "do not change the order"); `Place`
// holds those that are called here.

#include <ATen/Parallel.h>
#include <ATen/ops/from_blob.h>
#include <c10/util/Exception.h>

#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/backends/foreign_library.h"
#include "benchmarks/backends/module_backend.h"
#include "benchmarks/backends/onnx_file.h"
#include "benchmarks/backends/tensor_form.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "defs/proto/suite.pb.h"

namespace assay::backends {
namespace {

constexpr uint32_t kApiVersion = 17;

// Places in OrtApi of that version.
enum Place {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSession = 7,
  kRun = 9,
  kCreateSessionOptions = 10,
  kSetGraphOptimizationLevel = 23,
  kSetIntraOpNumThreads = 24,
  kSetInterOpNumThreads = 25,
  kGetInputCount = 30,
  kGetOutputCount = 31,
  kGetInputTypeInfo = 33,
  kGetOutputTypeInfo = 34,
  kGetInputName = 36,
  kGetOutputName = 37,
  kCreateTensorWithData = 49,
  kGetTensorData = 51,
  kCastToTensorInfo = 55,
  kGetOnnxType = 56,
  kGetElementType = 60,
  kGetDimensionsCount = 61,
  kGetDimensions = 62,
  kGetTensorTypeAndShape = 65,
  kCreateCpuMemoryInfo = 69,
  kGetDefaultAllocator = 78,
  kReleaseStatus = 93,
  kReleaseSession = 95,
  kReleaseValue = 96,
  kReleaseTypeInfo = 98,
  kReleaseTensorInfo = 99,
  kReleaseSessionOptions = 100,
};

// Objects of the library, known by their address alone.
using Object = void*;

// ONNXTensorElementDataType.
const ElementTypes& Types() {
  static const auto& types = *new ElementTypes("ONNX Runtime",
                                               {{1, at::kFloat},
                                                {2, at::kByte},
                                                {3, at::kChar},
                                                {5, at::kShort},
                                                {6, at::kInt},
                                                {7, at::kLong},
                                                {9, at::kBool},
                                                {10, at::kHalf},
                                                {11, at::kDouble}},
                                               {"values without a type",
                                                "float32",
                                                "uint8",
                                                "int8",
                                                "uint16",
                                                "int16",
                                                "int32",
                                                "int64",
                                                "text",
                                                "bool",
                                                "float16",
                                                "float64",
                                                "uint32",
                                                "uint64",
                                                "complex64",
                                                "complex128",
                                                "bfloat16",
                                                "float8e4m3fn",
                                                "float8e4m3fnuz",
                                                "float8e5m2",
                                                "float8e5m2fnuz",
                                                "uint4",
                                                "int4",
                                                "float4e2m1"});
  return types;
}

class Library {
 public:
  static const absl::StatusOr<ForeignLibrary>& Opened() {
    static const auto& library = *new absl::StatusOr<ForeignLibrary>(
        ForeignLibrary::Open("ONNX Runtime", "libonnxruntime.so"));
    return library;
  }
  // Opened once a process.
  static const Library& Get() {
    static const Library& library = *new Library;
    return library;
  }

  // Calls a function that returns a status, and throws what it says.
  template <typename... Arguments>
  void Call(Place place, Arguments... arguments) const {
    Object status = Function<Object (*)(Arguments...)>(place)(arguments...);
    if (status == nullptr) return;
    const std::string text = Function<const char* (*)(Object)>(kGetErrorMessage)(status);
    Release(kReleaseStatus, status);
    TORCH_CHECK(false, "ONNX Runtime: ", text);
  }
  void Release(Place place, Object object) const { Function<void (*)(Object)>(place)(object); }

  Object environment() const { return environment_; }
  Object allocator() const { return allocator_; }
  Object memory() const { return memory_; }
  const char* version() const { return version_; }

 private:
  Library() {
    struct Base {
      const Object* (*api)(uint32_t version);
      const char* (*version)();
    };
    const Base& base = *reinterpret_cast<const Base* (*)()>(Opened()->Find("OrtGetApiBase"))();
    version_ = base.version();
    functions_ = base.api(kApiVersion);
    TORCH_CHECK(functions_ != nullptr, "ONNX Runtime ", version_, " has no API ", kApiVersion);
    // Its wheel sends Microsoft a message from each process, and keeps a file beside it, unless this is
    // there before the environment.
    setenv("ORT_DISABLE_TELEMETRY", "1", /*overwrite=*/1);
    constexpr int kErrors = 3;  // of warnings there are many, about its own optimizations
    Call(kCreateEnv, kErrors, "assay", &environment_);
    Call(kGetDefaultAllocator, &allocator_);
    constexpr int kArena = 1, kDefaultMemory = 0;
    Call(kCreateCpuMemoryInfo, kArena, kDefaultMemory, &memory_);
  }

  template <typename Type>
  Type Function(Place place) const {
    return reinterpret_cast<Type>(functions_[place]);
  }

  const char* version_ = nullptr;
  const Object* functions_ = nullptr;
  Object environment_ = nullptr;
  Object allocator_ = nullptr;
  Object memory_ = nullptr;
};

// ONNXType.
std::string_view KindName(int kind) {
  constexpr std::string_view kNames[] = {"of unknown kind", "a tensor", "a sequence",
                                         "a map",           "opaque",   "a sparse tensor",
                                         "optional"};
  return kind >= 0 && static_cast<size_t>(kind) < std::size(kNames)
             ? kNames[static_cast<size_t>(kind)]
             : kNames[0];
}

// The form that an OrtTensorTypeAndShapeInfo states; -1 for a dimension that the file leaves open.
// Throws c10::Error, whose text begins with `whose`, if LibTorch has no such element type.
TensorForm FormOf(const Library& ort, Object info, const std::string& whose) {
  int element = 0;
  size_t count = 0;
  ort.Call(kGetElementType, info, &element);
  ort.Call(kGetDimensionsCount, info, &count);
  TensorForm form = {.dtype = Types().ScalarTypeOf(element, whose)};
  form.sizes.resize(count);
  ort.Call(kGetDimensions, info, form.sizes.data(), count);
  return form;
}

class OnnxModule final : public LoadedModule {
 public:
  explicit OnnxModule(const std::string& path) {
    Object options = nullptr;
    ort_.Call(kCreateSessionOptions, &options);
    constexpr int kAllOptimizations = 99;
    ort_.Call(kSetGraphOptimizationLevel, options, kAllOptimizations);
    ort_.Call(kSetIntraOpNumThreads, options, at::get_num_threads());
    ort_.Call(kSetInterOpNumThreads, options, 1);
    ort_.Call(kCreateSession, ort_.environment(), path.c_str(), options, &session_);
    ort_.Release(kReleaseSessionOptions, options);
    inputs_ = Names(kGetInputCount, kGetInputName);
    outputs_ = Names(kGetOutputCount, kGetOutputName);
    input_forms_ = Forms(inputs_, kGetInputTypeInfo, "input");
    Forms(outputs_, kGetOutputTypeInfo, "output");  // refuses what a call could not return
    LeaveRanksOpen(path);
  }
  OnnxModule(const OnnxModule&) = delete;
  OnnxModule& operator=(const OnnxModule&) = delete;
  ~OnnxModule() override {
    if (session_ != nullptr) ort_.Release(kReleaseSession, session_);
  }

  std::vector<TensorForm> Inputs() const override { return input_forms_; }
  std::vector<std::string> OutputNames() const override {
    return {outputs_.begin(), outputs_.end()};
  }

  std::string Runtime() const override { return absl::StrCat("ONNX Runtime ", ort_.version()); }

  execution::Tensors Call(const execution::Tensors& inputs) override {
    std::vector<Object> given(inputs.size()), made(outputs_.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      ort_.Call(kCreateTensorWithData, ort_.memory(), inputs[i].data_ptr(), inputs[i].nbytes(),
                inputs[i].sizes().data(), static_cast<size_t>(inputs[i].dim()),
                Types().NumberOf(inputs[i].scalar_type()), &given[i]);
    }
    ort_.Call(kRun, session_, Object(nullptr), inputs_.data(), given.data(), given.size(),
              outputs_.data(), outputs_.size(), made.data());
    for (Object value : given) ort_.Release(kReleaseValue, value);
    execution::Tensors outputs;
    for (Object value : made) outputs.push_back(TensorOf(value));
    return outputs;
  }

 private:
  // The library's names of inputs or outputs, kept for as long as the process runs.
  std::vector<const char*> Names(Place count_of, Place name_of) const {
    size_t count = 0;
    ort_.Call(count_of, session_, &count);
    std::vector<const char*> names(count);
    for (size_t i = 0; i < count; ++i) ort_.Call(name_of, session_, i, ort_.allocator(), &names[i]);
    return names;
  }

  std::vector<TensorForm> Forms(const std::vector<const char*>& names, Place type_of,
                                std::string_view what) const {
    std::vector<TensorForm> forms;
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string whose = absl::StrCat(what, " ", names[i]);
      Object type = nullptr, info = nullptr;
      int kind = 0;
      ort_.Call(type_of, session_, i, &type);
      ort_.Call(kGetOnnxType, type, &kind);
      ort_.Call(kCastToTensorInfo, type, &info);
      TORCH_CHECK(info != nullptr, whose, " is ", KindName(kind), ", and only tensors are taken");
      forms.push_back(FormOf(ort_, info, whose));
      forms.back().name = names[i];
      ort_.Release(kReleaseTypeInfo, type);
    }
    return forms;
  }

  // The library says of an input without a shape that it has no dimensions.
  void LeaveRanksOpen(const std::string& path) {
    const auto file = tensor_files::MappedFile::Open(path);
    if (!file.ok()) return;  // it was read a moment ago
    const std::vector<std::string> open = OnnxInputsWithoutShape((*file)->bytes());
    for (TensorForm& form : input_forms_)
      form.any_rank = form.sizes.empty() && absl::c_linear_search(open, form.name);
  }

  // Owns the value.
  at::Tensor TensorOf(Object value) const {
    Object info = nullptr;
    void* data = nullptr;
    ort_.Call(kGetTensorTypeAndShape, value, &info);
    const TensorForm form = FormOf(ort_, info, "an output");
    ort_.Release(kReleaseTensorInfo, info);
    ort_.Call(kGetTensorData, value, &data);
    return at::from_blob(
        data, form.sizes, [&ort = ort_, value](void*) { ort.Release(kReleaseValue, value); },
        at::TensorOptions().dtype(form.dtype));
  }

  const Library& ort_ = Library::Get();
  Object session_ = nullptr;
  std::vector<const char*> inputs_, outputs_;
  std::vector<TensorForm> input_forms_;
};

absl::StatusOr<std::unique_ptr<LoadedModule>> LoadOnnx(const std::string& path) {
  if (!Library::Opened().ok()) return Library::Opened().status();
  if (const absl::Status there = CheckFilesBesideOnnx(path); !there.ok()) return there;
  return std::make_unique<OnnxModule>(path);
}

absl::Status CheckOnnx(const BenchmarkCase& c) {
  if (c.dtype() != BF16) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--backend=onnxruntime: on the CPU it has no kernels for bf16; take a case of another dtype");
}

[[maybe_unused]] const bool kRegistered = RegisterModuleBackend({.backend = "onnxruntime",
                                                                 .format = "onnx",
                                                                 .extension = ".onnx",
                                                                 .check = CheckOnnx,
                                                                 .files_beside = FilesBesideOnnx,
                                                                 .load = LoadOnnx});

}  // namespace
}  // namespace assay::backends

// Back end openvino: the forward pass as the ONNX file that onnxruntime takes, too, compiled by
// OpenVINO for the CPU when it is loaded, for the latency of one call, in float32 and with as many
// threads as LibTorch has. Its threads are a pool of oneTBB's beside LibTorch's, which sleeps
// meanwhile.
//
// By default it would compute float32 cases in bf16 on CPUs that have AMX. It would also pin its
// threads and the caller's to CPUs; LibTorch's threads are not pinned.

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/util/Exception.h>
#include <openvino/c/openvino.h>

#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/backends/foreign_library.h"
#include "benchmarks/backends/module_backend.h"
#include "benchmarks/backends/onnx_file.h"
#include "benchmarks/backends/tensor_form.h"
#include "defs/proto/suite.pb.h"

namespace assay::backends {
namespace {

absl::StatusOr<ForeignLibrary> OpenLibrary() {
  // The library opens these itself, and where one is not there it says that of the model's file.
  for (const char* part :
       {"libopenvino_onnx_frontend.so.2641", "libopenvino_intel_cpu_plugin.so"}) {
    const absl::Status opened = ForeignLibrary::Open("OpenVINO", part).status();
    if (!opened.ok()) return opened;
  }
  return ForeignLibrary::Open("OpenVINO", "libopenvino_c.so");
}

const absl::StatusOr<ForeignLibrary>& Library() {
  static const auto& library = *new absl::StatusOr<ForeignLibrary>(OpenLibrary());
  return library;
}

// A function of OpenVINO's headers in the library, which no program is linked with.
#define OPENVINO(function)                                                                         \
  ([] {                                                                                            \
    static const auto found = reinterpret_cast<decltype(&(function))>(Library()->Find(#function)); \
    return found;                                                                                  \
  }())

// Throws the library's message without the lines that say where in its sources that arose.
void Check(ov_status_e status) {
  if (status == ov_status_e::OK) return;
  const std::string message = OPENVINO(ov_get_last_err_msg)();
  const auto says = [](std::string_view line) {
    return !line.empty() && !absl::StartsWith(line, "Exception from ");
  };
  TORCH_CHECK(false, "OpenVINO: ", absl::StrJoin(absl::StrSplit(message, '\n', says), " "));
}

// An object of the library's, freed by its function.
template <typename Object>
using Owned = std::unique_ptr<Object, void (*)(Object*)>;

template <typename Object, typename Make>
Owned<Object> Made(void (*free)(Object*), Make make) {
  Object* object = nullptr;
  Check(make(&object));
  return {object, free};
}

const ElementTypes& Types() {
  static const auto& types = *new ElementTypes("OpenVINO",
                                               {{ov_element_type_e::BOOLEAN, at::kBool},
                                                {ov_element_type_e::F16, at::kHalf},
                                                {ov_element_type_e::F32, at::kFloat},
                                                {ov_element_type_e::F64, at::kDouble},
                                                {ov_element_type_e::I8, at::kChar},
                                                {ov_element_type_e::I16, at::kShort},
                                                {ov_element_type_e::I32, at::kInt},
                                                {ov_element_type_e::I64, at::kLong},
                                                {ov_element_type_e::U8, at::kByte}},
                                               {"values whose type varies",
                                                "bool",
                                                "bfloat16",
                                                "float16",
                                                "float32",
                                                "float64",
                                                "int4",
                                                "int8",
                                                "int16",
                                                "int32",
                                                "int64",
                                                "uint1",
                                                "uint2",
                                                "uint3",
                                                "uint4",
                                                "uint6",
                                                "uint8",
                                                "uint16",
                                                "uint32",
                                                "uint64",
                                                "nf4",
                                                "float8e4m3",
                                                "float8e5m2",
                                                "text",
                                                "float4e2m1",
                                                "float8e8m0"});
  return types;
}

using Port = Owned<ov_output_const_port_t>;

// -1 for a dimension that the file leaves open.
TensorForm FormOf(const ov_output_const_port_t* port) {
  ov_element_type_e element = ov_element_type_e::DYNAMIC;
  Check(OPENVINO(ov_port_get_element_type)(port, &element));
  ov_partial_shape_t shape = {};
  Check(OPENVINO(ov_port_get_partial_shape)(port, &shape));
  TensorForm form;
  const bool ranked = shape.rank.min == shape.rank.max;
  for (int64_t i = 0; ranked && i < shape.rank.max; ++i)
    form.sizes.push_back(shape.dims[i].min == shape.dims[i].max ? shape.dims[i].max : -1);
  OPENVINO(ov_partial_shape_free)(&shape);
  char* name = nullptr;
  // Unnamed ports are an error of the library's.
  if (OPENVINO(ov_port_get_any_name)(port, &name) == ov_status_e::OK) {
    form.name = name;
    OPENVINO(ov_free)(name);
  }
  form.any_rank = !ranked;
  form.dtype = Types().ScalarTypeOf(static_cast<int>(element), form.name);
  return form;
}

ov_shape_t ShapeOf(const at::Tensor& tensor) {
  return {.rank = tensor.dim(), .dims = const_cast<int64_t*>(tensor.sizes().data())};
}

class OpenVinoModule final : public LoadedModule {
 public:
  explicit OpenVinoModule(const std::string& path)
      : compiled_(Compiled(path)),
        request_(Made(OPENVINO(ov_infer_request_free), [this](ov_infer_request_t** request) {
          return OPENVINO(ov_compiled_model_create_infer_request)(compiled_.get(), request);
        })) {
    inputs_ =
        Forms(OPENVINO(ov_compiled_model_inputs_size), OPENVINO(ov_compiled_model_input_by_index));
    outputs_ = Forms(OPENVINO(ov_compiled_model_outputs_size),
                     OPENVINO(ov_compiled_model_output_by_index));
  }

  std::vector<TensorForm> Inputs() const override { return inputs_; }
  std::vector<std::string> OutputNames() const override {
    std::vector<std::string> names;
    for (const TensorForm& form : outputs_) names.push_back(form.name);
    return names;
  }
  std::string Runtime() const override {
    ov_version_t version = {};
    Check(OPENVINO(ov_get_openvino_version)(&version));
    // "2026.4.1-22982-e213a147257-releases/2026/4"
    const std::string_view build = version.buildNumber;
    const std::string text = absl::StrCat("OpenVINO ", build.substr(0, build.find('-')));
    OPENVINO(ov_version_free)(&version);
    return text;
  }

  execution::Tensors Call(const execution::Tensors& inputs) override {
    for (size_t i = 0; i < inputs.size(); ++i)
      Bind(OPENVINO(ov_infer_request_set_input_tensor_by_index), i, inputs[i]);
    // If the library knows an output's shape, it writes into our memory; else into its own, which
    // the next call overwrites.
    execution::Tensors outputs(outputs_.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!IsFixed(outputs_[i])) continue;
      outputs[i] = at::empty(outputs_[i].sizes, outputs_[i].dtype);
      Bind(OPENVINO(ov_infer_request_set_output_tensor_by_index), i, outputs[i]);
    }
    Check(OPENVINO(ov_infer_request_infer)(request_.get()));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].defined()) outputs[i] = Copied(i);
    }
    return outputs;
  }

 private:
  static Owned<ov_compiled_model_t> Compiled(const std::string& path) {
    static const ov_core_t& core =
        *Made(OPENVINO(ov_core_free), OPENVINO(ov_core_create)).release();
    const auto model = Made(OPENVINO(ov_model_free), [&](ov_model_t** made) {
      return OPENVINO(ov_core_read_model)(&core, path.c_str(), nullptr, made);
    });
    const std::string threads = absl::StrCat(at::get_num_threads());
    const ov_property_t properties[] = {{"INFERENCE_NUM_THREADS", threads.c_str()},
                                        {"INFERENCE_PRECISION_HINT", "f32"},
                                        {"PERFORMANCE_HINT", "LATENCY"},
                                        {"ENABLE_CPU_PINNING", "NO"}};
    return Made(OPENVINO(ov_compiled_model_free), [&](ov_compiled_model_t** made) {
      return OPENVINO(ov_core_compile_model_props)(&core, model.get(), "CPU", std::size(properties),
                                                   properties, made);
    });
  }

  template <typename Count, typename At>
  std::vector<TensorForm> Forms(Count count_of, At port_at) const {
    size_t count = 0;
    Check(count_of(compiled_.get(), &count));
    std::vector<TensorForm> forms;
    for (size_t i = 0; i < count; ++i) {
      forms.push_back(
          FormOf(Made(OPENVINO(ov_output_const_port_free), [&](ov_output_const_port_t** port) {
                   return port_at(compiled_.get(), i, port);
                 }).get()));
    }
    return forms;
  }

  static bool IsFixed(const TensorForm& form) {
    return !form.any_rank && !absl::c_linear_search(form.sizes, -1);
  }

  template <typename Set>
  void Bind(Set set, size_t i, const at::Tensor& tensor) const {
    const auto element = static_cast<ov_element_type_e>(Types().NumberOf(tensor.scalar_type()));
    const auto bound = Made(OPENVINO(ov_tensor_free), [&](ov_tensor_t** made) {
      return OPENVINO(ov_tensor_create_from_host_ptr)(element, ShapeOf(tensor), tensor.data_ptr(),
                                                      made);
    });
    Check(set(request_.get(), i, bound.get()));
  }

  at::Tensor Copied(size_t i) const {
    const auto value = Made(OPENVINO(ov_tensor_free), [&](ov_tensor_t** made) {
      return OPENVINO(ov_infer_request_get_output_tensor_by_index)(request_.get(), i, made);
    });
    ov_shape_t shape = {};
    void* data = nullptr;
    Check(OPENVINO(ov_tensor_get_shape)(value.get(), &shape));
    Check(OPENVINO(ov_tensor_data)(value.get(), &data));
    const at::Tensor copied =
        at::from_blob(data, {shape.dims, static_cast<size_t>(shape.rank)}, outputs_[i].dtype)
            .clone();
    OPENVINO(ov_shape_free)(&shape);
    return copied;
  }

  const Owned<ov_compiled_model_t> compiled_;
  const Owned<ov_infer_request_t> request_;
  std::vector<TensorForm> inputs_, outputs_;
};

absl::StatusOr<std::unique_ptr<LoadedModule>> LoadOpenVino(const std::string& path) {
  if (!Library().ok()) return Library().status();
  if (const absl::Status there = CheckFilesBesideOnnx(path); !there.ok()) return there;
  return std::make_unique<OpenVinoModule>(path);
}

absl::Status CheckOpenVino(const BenchmarkCase& c) {
  if (c.dtype() == FP32 || c.dtype() == FP16) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--backend=openvino: on the CPU it computes in float32; take a case of fp32 or fp16");
}

[[maybe_unused]] const bool kRegistered = RegisterModuleBackend({.backend = "openvino",
                                                                 .format = "onnx",
                                                                 .extension = ".onnx",
                                                                 .check = CheckOpenVino,
                                                                 .files_beside = FilesBesideOnnx,
                                                                 .load = LoadOpenVino});

}  // namespace
}  // namespace assay::backends

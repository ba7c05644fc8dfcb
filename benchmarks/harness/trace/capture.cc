#include "benchmarks/harness/trace/capture.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/grad_mode.h>
#include <ATen/record_function.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/tensor_files/atomic_file.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "benchmarks/harness/text/json_text.h"
#include "benchmarks/harness/trace/identities.h"
#include "benchmarks/harness/trace/node_text.h"
#include "benchmarks/harness/trace/output_digest.h"

namespace assay::trace {
namespace {

constexpr size_t kBufferBytes = 1 << 20;
constexpr int64_t kSamples = 8;
constexpr int kLabelScope = static_cast<int>(at::RecordScope::USER_SCOPE);

class Recorder;
std::atomic<Recorder*> active_recorder = nullptr;
std::atomic<uint64_t> captures = 0;

// The nodes that have begun on this thread and have not ended.
struct OpenNodes {
  uint64_t capture = 0;  // whose nodes these are
  uint64_t innermost = 0;
  size_t begun = 0;  // nodes that have begun on this thread
};
thread_local OpenNodes open_nodes;

// A tensor that is held changes the program: autograd then copies a gradient that it would have taken
// over.
using WeakTensor = c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>;

struct BegunNode : at::ObserverContext {
  uint64_t id = 0;
  uint64_t parent = 0;
  std::string inputs;      // as JSON
  std::string attributes;  // as JSON, each with a comma before it
  std::vector<WeakTensor> tensors = {};
  std::vector<WeakTensor> written = {};  // of an operator that returns nothing: what it writes to
};

// The texts that all calls of an operator share.
struct OperatorText {
  std::string name;    // as JSON
  std::string schema;  // as JSON; "" in quotes for a label
  bool has_schema = false;
};

struct NodeFacts {
  uint64_t rf_id = 0;
  int64_t seq_id = -1;
  int scope = kLabelScope;
  uint64_t thread = 0;
  uint64_t forward_thread = 0;
};

std::string SideText(std::string_view side, const ValuesText& text) {
  return absl::StrCat("\"", side, "\":{\"values\":", text.values, ",\"shapes\":", text.shapes,
                      ",\"types\":", text.types, ",\"strides\":", text.strides, "}");
}

std::string Attribute(std::string_view name, std::string_view type, std::string_view json) {
  return absl::StrCat(",{\"name\":\"", name, "\",\"type\":\"", type, "\",\"value\":", json, "}");
}

// {"0":A,"2":B} as the text of an attribute; nothing for no entries.
std::string PlacesAttribute(std::string_view name, const std::map<size_t, std::string>& places) {
  if (places.empty()) return "";
  std::string json;
  for (const auto& [place, value] : places)
    absl::StrAppend(&json, json.empty() ? "" : ",", "\"", place, "\":", value);
  return Attribute(name, "string", base::JsonText(absl::StrCat("{", json, "}")));
}

// The operators that this calls are not recorded.
at::Scalar ItemOf(const at::Tensor& tensor) {
  const at::RecordFunctionGuard silent(false);
  return tensor.item();
}

std::string NumberText(const at::Scalar& number) {
  if (number.isFloatingPoint()) return base::JsonNumber(number.toDouble());
  if (number.isBoolean()) return number.toBool() ? "true" : "false";
  if (number.isComplex()) return "null";
  return absl::StrCat(number.toLong());
}

// The storage's bytes where they lie; undefined where there are none.
at::Tensor BytesOf(const at::Tensor& tensor) {
  const c10::Storage& storage = tensor.storage();
  if (storage.nbytes() == 0 || storage.data() == nullptr || tensor.is_meta()) return {};
  return at::from_blob(const_cast<void*>(storage.data()), {static_cast<int64_t>(storage.nbytes())},
                       at::TensorOptions(at::kByte).device(tensor.device()));
}

bool HasElements(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() && tensor.numel() > 0 && !tensor.is_meta() &&
         !tensor.is_quantized();
}

// Elements of an operator that allocates are what lay in memory before.
bool LeavesOutputsUnwritten(std::string_view name) {
  return absl::StartsWith(name, "aten::empty") || absl::StartsWith(name, "aten::new_empty") ||
         name == "aten::resize_";
}

std::string SamplesOf(const at::Tensor& cpu) {
  std::string text;
  const int64_t count = std::min(kSamples, cpu.numel());
  const at::Tensor flat = cpu.view({-1});
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = count == 1 ? 0 : i * (cpu.numel() - 1) / (count - 1);
    absl::StrAppend(&text, i > 0 ? "," : "", "[", place, ",", NumberText(flat[place].item()), "]");
  }
  return absl::StrCat("[", text, "]");
}

std::string StateOf(at::Generator generator) {
  const at::RecordFunctionGuard silent(false);
  const std::lock_guard lock(generator.mutex());
  const at::Tensor state = generator.get_state();
  return absl::BytesToHexString(std::string_view(static_cast<const char*>(state.const_data_ptr()),
                                                 static_cast<size_t>(state.nbytes())));
}

// By argument: the states of the generators that the operator is given.
std::map<size_t, std::string> GeneratorStates(absl::Span<const c10::IValue> inputs) {
  std::map<size_t, std::string> states;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].isGenerator() && inputs[i].toGenerator().defined())
      states[i] = base::JsonText(StateOf(inputs[i].toGenerator()));
  }
  return states;
}

std::vector<WeakTensor> Weak(const std::vector<at::Tensor>& tensors) {
  std::vector<WeakTensor> weak;
  for (const at::Tensor& tensor : tensors) weak.emplace_back(tensor.getIntrusivePtr());
  return weak;
}

// The tensors that are still there.
std::vector<at::Tensor> Locked(const std::vector<WeakTensor>& weak) {
  std::vector<at::Tensor> tensors;
  for (const WeakTensor& tensor : weak) {
    if (auto locked = tensor.lock()) tensors.emplace_back(std::move(locked));
  }
  return tensors;
}

// The tensors that the schema marks as written, in order.
std::vector<at::Tensor> WrittenBy(const c10::FunctionSchema& schema,
                                  absl::Span<const c10::IValue> inputs) {
  std::vector<at::Tensor> written;
  for (size_t i = 0; i < std::min(inputs.size(), schema.arguments().size()); ++i) {
    const c10::AliasInfo* alias = schema.arguments()[i].alias_info();
    if (alias == nullptr || !alias->isWrite()) continue;
    if (inputs[i].isTensor()) written.push_back(inputs[i].toTensor());
    if (!inputs[i].isTensorList()) continue;
    for (const at::Tensor& tensor : inputs[i].toTensorVector()) written.push_back(tensor);
  }
  return written;
}

// A boxed call passes its whole stack, of which the last `count` values are its own.
template <typename Stack>
absl::Span<const c10::IValue> Last(const Stack& stack, size_t count) {
  count = std::min(count, stack.size());
  return absl::Span<const c10::IValue>(stack.data() + (stack.size() - count), count);
}

class Recorder final : public Capture {
 public:
  Recorder(CaptureOptions options, tensor_files::AtomicFile file)
      : options_(std::move(options)), file_(std::move(file)), number_(++captures) {}

  ~Recorder() override { Stop(); }

  void Begin() {
    root_ = ids_.Next();
    handle_ = at::addGlobalCallback(at::RecordFunctionCallback(&OnStart, &OnEnd)
                                        .needsInputs(true)
                                        .needsOutputs(true)
                                        .needsIds(true));
  }

  absl::StatusOr<Captured> Finish() override {
    Stop();
    if (!headed_) WriteHead();
    for (const auto& [thread, id] : threads_)
      WriteNode(id, root_, Label("[pytorch|profiler|execution_trace|thread]"), {.thread = thread},
                "", "", "");
    WriteNode(root_, root_, Label("[pytorch|profiler|execution_trace|process]"), {}, "", "", "");
    absl::StrAppend(&text_, "\n],\"finish_ts\":", absl::ToUnixMillis(absl::Now()), "}\n");
    file_.Append(text_);
    if (!error_.ok()) return error_;
    if (!snapshots_.empty()) {
      captured_.values_path =
          absl::StrCat(absl::StripSuffix(options_.path, ".json"), ".values.safetensors");
      const absl::Status written =
          tensor_files::WriteTensors(captured_.values_path, snapshots_, {});
      if (!written.ok()) return written;
    }
    if (const absl::Status written = file_.Commit(); !written.ok()) return written;
    return captured_;
  }

 private:
  // At the first operator, so that what drew random numbers between Start() and the program's own first
  // operator counts as done.
  void WriteHead() {
    headed_ = true;
    const absl::Time now = absl::Now();
    text_ = absl::StrCat("{\"schema\":\"1.1.1-chakra.0.0.4\",\"pid\":", getpid(), ",\"time\":\"",
                         absl::FormatTime("%Y-%m-%d %H:%M:%S", now, absl::UTCTimeZone()),
                         "\",\"start_ts\":", absl::ToUnixMillis(now), ",\"generators\":{\"cpu\":\"",
                         StateOf(at::detail::getDefaultCPUGenerator()), "\"},\"nodes\":[");
  }

  void Stop() {
    if (handle_ == at::INVALID_CALLBACK_HANDLE) return;
    at::removeCallback(handle_);
    handle_ = at::INVALID_CALLBACK_HANDLE;
    active_recorder = nullptr;
  }

  // LibTorch swallows what a callback throws.
  template <typename Work>
  static void Recorded(Recorder& recorder, const at::RecordFunction& fn, Work&& work) {
    // The operators that this calls itself: without values there are few (ItemOf(), StateOf()), and a
    // guard makes LibTorch gather its callbacks anew.
    std::optional<at::RecordFunctionGuard> silent;
    if (recorder.options_.values) silent.emplace(false);
    const at::NoGradGuard no_grad;
    const std::lock_guard lock(recorder.mutex_);
    try {
      work();
    } catch (const std::exception& error) {
      if (recorder.error_.ok())
        recorder.error_ =
            absl::InternalError(absl::StrCat("recording ", fn.name(), ": ", error.what()));
    }
  }

  static std::unique_ptr<at::ObserverContext> OnStart(const at::RecordFunction& fn) {
    Recorder* const recorder = active_recorder;
    if (recorder == nullptr) return nullptr;
    auto begun = std::make_unique<BegunNode>();
    Recorded(*recorder, fn, [&] { recorder->Start(fn, *begun); });
    return begun;
  }

  static void OnEnd(const at::RecordFunction& fn, at::ObserverContext* context) {
    Recorder* const recorder = active_recorder;
    auto* const begun = static_cast<BegunNode*>(context);
    if (recorder == nullptr || begun == nullptr) return;
    Recorded(*recorder, fn, [&] { recorder->End(fn, *begun); });
  }

  void Start(const at::RecordFunction& fn, BegunNode& begun) {
    if (!headed_) WriteHead();
    OpenNodes& open = open_nodes;
    if (open.capture != number_)
      open = {.capture = number_, .innermost = ThreadNode(fn.threadId())};
    ValuesText text = TextOf(Last(fn.inputs(), fn.num_inputs()), ids_);
    begun.inputs = SideText("inputs", text);
    begun.id = ids_.Next();  // larger than those of its tensors and of its parent
    begun.parent = std::exchange(open.innermost, begun.id);
    absl::StrAppend(&begun.attributes, TimeAttributes(fn, open.begun++),
                    WrappedNumbers(text.tensors));
    if (!options_.values) return;
    begun.tensors = Weak(text.tensors);
    absl::StrAppend(
        &begun.attributes, Snapshots(text.tensors, begun.id),
        PlacesAttribute("generator_states", GeneratorStates(Last(fn.inputs(), fn.num_inputs()))));
    if (fn.num_outputs() > 0) return;
    const std::optional<c10::FunctionSchema> schema = fn.operator_schema();
    if (schema) begun.written = Weak(WrittenBy(*schema, Last(fn.inputs(), fn.num_inputs())));
  }

  void End(const at::RecordFunction& fn, BegunNode& begun) {
    open_nodes.innermost = begun.parent;
    const bool threw = fn.outputs().size() < fn.num_outputs();
    const ValuesText text = TextOf(Last(fn.outputs(), threw ? 0 : fn.num_outputs()), ids_);
    if (threw) begun.attributes += Attribute("throws", "string", "\"true\"");
    if (options_.values) {
      begun.attributes +=
          OutputValues(fn.name(), begun.written.empty() ? text.tensors : Locked(begun.written));
      for (const at::Tensor& tensor : Locked(begun.tensors)) RememberContent(tensor);
      for (const at::Tensor& tensor : text.tensors) RememberContent(tensor);
    }
    OperatorText label;
    const OperatorText* known = KnownOperator(fn);
    if (known == nullptr) {
      label = Label(fn.name());
      known = &label;
    }
    captured_.operators += known->has_schema ? 1 : 0;
    WriteNode(begun.id, begun.parent, *known,
              {.rf_id = fn.handle(),
               .seq_id = fn.seqNr(),
               .scope = static_cast<int>(fn.scope()),
               .thread = fn.threadId(),
               .forward_thread = fn.forwardThreadId()},
              begun.inputs, SideText("outputs", text), begun.attributes);
  }

  uint64_t ThreadNode(uint64_t thread) {
    uint64_t& id = threads_[thread];
    if (id == 0) id = ids_.Next();
    return id;
  }

  static OperatorText Label(std::string_view name) {
    return {.name = base::JsonText(name), .schema = "\"\""};
  }

  // null for a label.
  const OperatorText* KnownOperator(const at::RecordFunction& fn) {
    const std::optional<c10::OperatorName> name = fn.operator_name();
    if (!name) return nullptr;
    OperatorText& text = operators_[absl::StrCat(name->name, ".", name->overload_name)];
    if (text.has_schema) return &text;
    const std::optional<c10::FunctionSchema> schema = fn.operator_schema();
    text = Label(name->name);
    if (schema) text.schema = base::JsonText(c10::toString(*schema));
    text.has_schema = schema.has_value();
    return &text;
  }

  std::string TimeAttributes(const at::RecordFunction& fn, size_t place) const {
    const auto thread = options_.times.find(fn.threadId());
    if (thread == options_.times.end() || place >= thread->second.size()) return "";
    const OperatorTime& time = thread->second[place];
    if (time.name != fn.name()) return "";
    return absl::StrCat(Attribute("start_ns", "int64", absl::StrCat(time.start_ns)),
                        Attribute("duration_ns", "int64", absl::StrCat(time.duration_ns)));
  }

  static std::string WrappedNumbers(const std::vector<at::Tensor>& tensors) {
    std::map<size_t, std::string> numbers;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const at::Tensor& tensor = tensors[i];
      if (tensor.defined() && tensor.unsafeGetTensorImpl()->is_wrapped_number())
        numbers[i] = NumberText(ItemOf(tensor));
    }
    return PlacesAttribute("wrapped_numbers", numbers);
  }

  // Keeps the bytes of each input that no recorded operator left as they are.
  std::string Snapshots(const std::vector<at::Tensor>& tensors, uint64_t node) {
    std::map<size_t, std::string> names;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const at::Tensor& tensor = tensors[i];
      Identities::Storage* const storage = ids_.OfStorage(tensor);
      const at::Tensor bytes = storage == nullptr ? at::Tensor() : BytesOf(tensor);
      if (!bytes.defined()) continue;
      const uint64_t content = numerics::Fingerprint({bytes});
      if (std::exchange(storage->content, content) == content) continue;
      const std::string name = absl::StrCat("storage/", storage->id, "/", node);
      snapshots_.push_back(
          {name, bytes.to(at::kCPU, at::kByte, /*non_blocking=*/false, /*copy=*/true)});
      names[i] = base::JsonText(name);
    }
    return PlacesAttribute("snapshots", names);
  }

  void RememberContent(const at::Tensor& tensor) {
    Identities::Storage* const storage = ids_.OfStorage(tensor);
    const at::Tensor bytes = storage == nullptr ? at::Tensor() : BytesOf(tensor);
    if (bytes.defined()) storage->content = numerics::Fingerprint({bytes});
  }

  static std::string OutputValues(std::string_view name, const std::vector<at::Tensor>& tensors) {
    std::string digests, samples;
    for (const at::Tensor& tensor : tensors) {
      const char* comma = digests.empty() ? "" : ",";
      const bool written = HasElements(tensor) && !LeavesOutputsUnwritten(name);
      const at::Tensor cpu = written ? tensor.to(at::kCPU).contiguous() : at::Tensor();
      absl::StrAppend(&digests, comma, written ? base::JsonText(OutputDigest(cpu)) : "\"\"");
      absl::StrAppend(&samples, comma, written ? SamplesOf(cpu) : "[]");
    }
    if (tensors.empty()) return "";
    return absl::StrCat(Attribute("output_digests", "string", base::JsonText("[" + digests + "]")),
                        Attribute("output_samples", "string", base::JsonText("[" + samples + "]")));
  }

  void WriteNode(uint64_t id, uint64_t parent, const OperatorText& of, const NodeFacts& facts,
                 std::string_view inputs, std::string_view outputs, std::string_view attributes) {
    static const std::string no_inputs = SideText("inputs", {"[]", "[]", "[]", "[]", {}}),
                             no_outputs = SideText("outputs", {"[]", "[]", "[]", "[]", {}});
    absl::StrAppend(&text_, captured_.nodes > 0 ? ",\n" : "\n", "{\"id\":", id,
                    ",\"name\":", of.name, ",\"ctrl_deps\":", parent, ",",
                    inputs.empty() ? no_inputs : inputs, ",",
                    outputs.empty() ? no_outputs : outputs,
                    R"(,"attrs":[{"name":"rf_id","type":"uint64","value":)", facts.rf_id,
                    R"(},{"name":"fw_parent","type":"uint64","value":0)",
                    R"(},{"name":"seq_id","type":"int64","value":)", facts.seq_id,
                    R"(},{"name":"scope","type":"uint64","value":)", facts.scope,
                    R"(},{"name":"tid","type":"uint64","value":)", facts.thread,
                    R"(},{"name":"fw_tid","type":"uint64","value":)", facts.forward_thread,
                    R"(},{"name":"op_schema","type":"string","value":)", of.schema,
                    R"(},{"name":"kernel_backend","type":"string","value":"")",
                    R"(},{"name":"kernel_file","type":"string","value":"")",
                    R"(},{"name":"tensor_range","type":"string","value":""})", attributes, "]}");
    ++captured_.nodes;
    if (text_.size() < kBufferBytes) return;
    file_.Append(text_);
    text_.clear();
  }

  const CaptureOptions options_;
  tensor_files::AtomicFile file_;
  const uint64_t number_;
  at::CallbackHandle handle_ = at::INVALID_CALLBACK_HANDLE;
  std::mutex mutex_;
  Identities ids_;
  uint64_t root_ = 0;
  std::map<uint64_t, uint64_t> threads_;  // the node of each thread
  std::unordered_map<std::string, OperatorText> operators_;
  std::vector<tensor_files::StoredTensor> snapshots_;
  bool headed_ = false;
  std::string text_;  // not yet in the file
  Captured captured_;
  absl::Status error_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Capture>> Capture::Start(CaptureOptions options) {
  if (!absl::EndsWith(options.path, ".json"))
    return absl::InvalidArgumentError(
        absl::StrCat("the execution trace ", options.path, ": its name must end with .json"));
  absl::StatusOr<tensor_files::AtomicFile> file = tensor_files::AtomicFile::Create(options.path);
  if (!file.ok()) return file.status();
  auto recorder = std::make_unique<Recorder>(std::move(options), *std::move(file));
  Recorder* none = nullptr;
  if (!active_recorder.compare_exchange_strong(none, recorder.get()))
    return absl::FailedPreconditionError(
        "another execution trace is being captured; finish it first");
  recorder->Begin();
  return recorder;
}

}  // namespace assay::trace

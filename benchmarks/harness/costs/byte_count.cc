#include "benchmarks/harness/costs/byte_count.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "benchmarks/harness/costs/operator_bytes.h"
#include "benchmarks/harness/costs/operator_watch.h"

namespace assay::costs {
namespace {

using ByteKind = OperatorBytes::Kind;

// Parts of one storage. They may overlap; their sum is at most the whole.
class Parts {
 public:
  void Add(const MemoryPart& part) { parts_.insert({part.offset, part.bytes}); }
  int64_t Bytes(int64_t storage_bytes) const {
    int64_t sum = 0;
    for (const auto& [offset, bytes] : parts_) sum += bytes;
    return std::min(sum, storage_bytes);
  }

 private:
  std::set<std::pair<int64_t, int64_t>> parts_;
};

// The memory that a call touches.
class TouchedMemory {
 public:
  void Read(const MemoryPart& part) { Find(part, /*made=*/false).read.Add(part); }
  void Write(const MemoryPart& part) { Find(part, /*made=*/false).written.Add(part); }
  // Adds a result of an operator: new memory, unless it was seen before.
  void Result(const MemoryPart& part, bool written) {
    Touched& touched = Find(part, /*made=*/true);
    if (touched.made && written) touched.written.Add(part);
  }

  // The count, to be read once the call is over.
  int64_t Bytes() const {
    int64_t sum = 0;
    for (const auto& [address, touched] : touched_) {
      if (!touched.made) sum += touched.read.Bytes(touched.bytes);
      if (!touched.made || !touched.storage.expired()) sum += touched.written.Bytes(touched.bytes);
    }
    return sum;
  }

 private:
  struct Touched {
    // Keeps the address from being used again, but not the memory from being freed.
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;
    bool made = false;  // allocated by the call
    int64_t bytes = 0;
    Parts read = {}, written = {};
  };

  Touched& Find(const MemoryPart& part, bool made) {
    const auto [found, is_new] = touched_.try_emplace(
        part.storage._unsafe_get_target(), Touched{.storage = part.storage, .made = made});
    found->second.bytes = std::max(found->second.bytes, part.storage_bytes);
    return found->second;
  }

  std::map<const c10::StorageImpl*, Touched> touched_;
};

// Callbacks are plain functions, and autograd calls them on the threads of its devices. So they
// write to one global object, and only one count runs at a time.
std::mutex one_byte_count_at_a_time;
std::mutex memory_mutex;
TouchedMemory memory;  // guarded by the mutex, as are the next two
bool bytes_unknown = false;
int32_t operators = 0;

thread_local int byte_depth = 0;  // depth within operators that were counted or given up

// The work that is left for the end of an operator.
struct StartedBytes : at::ObserverContext {
  bool writes_results = false;
  std::vector<MemoryPart> read_as_returned = {};
  std::vector<bool> is_new = {};  // for each result: it is no alias of an argument
};

OperatorBytes BytesOf(const at::RecordFunction& function) {
  const auto op = c10::Dispatcher::singleton().findSchema(*function.operator_name());
  if (!op) return {.kind = ByteKind::kUnknown};
  try {
    return JudgeBytes(*op, function.inputs());
  } catch (const std::exception&) {  // unknown arguments
    return {.kind = ByteKind::kUnknown};
  }
}

std::unique_ptr<at::ObserverContext> OnBytesStart(const at::RecordFunction& function) {
  if (!function.operator_name()) return nullptr;  // a mark for profiles, such as a step of autograd
  auto started = std::make_unique<StartedBytes>();
  if (byte_depth > 0) {
    ++byte_depth;
    return started;
  }
  const OperatorBytes judged = BytesOf(function);
  if (judged.kind == ByteKind::kNothing || judged.kind == ByteKind::kInside) return nullptr;
  ++byte_depth;
  const std::scoped_lock lock(memory_mutex);
  operators += judged.writes_results ? 1 : 0;
  if (judged.kind == ByteKind::kUnknown) {
    bytes_unknown = true;
    return started;
  }
  for (const MemoryPart& part : judged.read) memory.Read(part);
  for (const MemoryPart& part : judged.written) memory.Write(part);
  started->writes_results = judged.writes_results;
  started->read_as_returned = judged.read_as_returned;
  const std::optional<c10::FunctionSchema> schema = function.operator_schema();
  for (const c10::Argument& result : schema->returns())
    started->is_new.push_back(result.alias_info() == nullptr);
  return started;
}

void OnBytesEnd(const at::RecordFunction& function, at::ObserverContext* context) {
  if (context == nullptr || --byte_depth > 0) return;
  const auto* started = static_cast<const StartedBytes*>(context);
  const std::scoped_lock lock(memory_mutex);
  int64_t returned = 0;
  const std::vector<c10::IValue>& results = function.outputs();
  for (size_t i = 0; i < results.size() && i < started->is_new.size(); ++i) {
    if (!started->is_new[i]) continue;
    const std::optional<std::vector<MemoryPart>> parts = PartsOf(results[i]);
    if (!parts) {
      bytes_unknown = true;
      continue;
    }
    for (const MemoryPart& part : *parts) {
      memory.Result(part, started->writes_results);
      returned += part.bytes;
    }
  }
  for (MemoryPart part : started->read_as_returned) {
    part.bytes = std::min(part.bytes, returned);
    memory.Read(part);
  }
}

}  // namespace

absl::StatusOr<ByteCount> CountBytes(absl::FunctionRef<absl::Status()> call) {
  const std::scoped_lock lock(one_byte_count_at_a_time);
  memory = {};
  bytes_unknown = false;
  operators = 0;
  byte_depth = 0;
  absl::Status status;
  {
    const OperatorWatch watch(
        at::RecordFunctionCallback(OnBytesStart, OnBytesEnd).needsInputs(true).needsOutputs(true));
    status = call();
  }
  const TouchedMemory touched = std::exchange(memory, {});
  if (!status.ok()) return status;
  ByteCount count = {.bytes = std::nullopt, .operators = operators};
  if (!bytes_unknown) count.bytes = touched.Bytes();
  return count;
}

}  // namespace assay::costs

#include "benchmarks/operators/kernel/isolated_call.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/operators/kernel/schema_check.h"

namespace assay::kernel {
namespace {

// The copy's words about its end, in memory that both processes have.
struct Note {
  std::array<char, 32> kind;
  std::array<char, 480> text;
};

Note* note = nullptr;
// Ended the copy by itself: the codes of its _exit().
constexpr int kDone = 0, kNoted = 77;

void Say(const char* kind, const std::string& text) {
  std::snprintf(note->kind.data(), note->kind.size(), "%s", kind);
  std::snprintf(note->text.data(), note->text.size(), "%s", text.c_str());
}

// In a signal handler: no memory is taken.
void OnFault(int, siginfo_t* info, void* context) {
  std::array<char, 160> place;
  DescribeAddress(info->si_addr, place.data(), place.size());
  bool writes = false;
  [[maybe_unused]] auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  writes = (machine.gregs[REG_ERR] & 2) != 0;
#elif defined(__aarch64__)
  // Linux appends records, each with its kind and size; a record of size 0 is the last.
  const auto* record = reinterpret_cast<const _aarch64_ctx*>(machine.__reserved);
  while (record->size != 0 && record->magic != ESR_MAGIC)
    record =
        reinterpret_cast<const _aarch64_ctx*>(reinterpret_cast<const char*>(record) + record->size);
  constexpr uint64_t kWrites = 1u << 6;  // WnR of the syndrome register
  writes = record->size != 0 && (reinterpret_cast<const esr_context*>(record)->esr & kWrites) != 0;
#endif
  const bool inside = std::strstr(place.data(), "not to be written") != nullptr;
  std::snprintf(note->kind.data(), note->kind.size(), "%s",
                place[0] == 0 ? "crashed"
                : inside      ? "writes to an input"
                              : "touches memory outside");
  if (place[0] == 0) {
    std::snprintf(note->text.data(), note->text.size(),
                  "it %s address %p, where there is no memory", writes ? "writes to" : "reads",
                  info->si_addr);
  } else {
    std::snprintf(note->text.data(), note->text.size(), "it %s %s", writes ? "writes to" : "reads",
                  place.data());
  }
  _exit(kNoted);
}

void CatchFaults() {
  static std::array<char, 1 << 16> stack;
  stack_t other = {};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

bool WriteAll(int file, const void* data, int64_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = write(file, at, static_cast<size_t>(std::min<int64_t>(bytes, 1 << 30)));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    bytes -= written;
  }
  return true;
}

// A tensor as bytes: dtype, number of dimensions, dimensions, elements in row-major order.
bool Write(int file, const at::Tensor& tensor) {
  const at::Tensor dense = tensor.detach().contiguous();
  std::vector<int64_t> head = {static_cast<int64_t>(dense.scalar_type()), dense.dim()};
  head.insert(head.end(), dense.sizes().begin(), dense.sizes().end());
  return WriteAll(file, head.data(), static_cast<int64_t>(head.size() * sizeof(int64_t))) &&
         WriteAll(file, dense.const_data_ptr(), static_cast<int64_t>(dense.nbytes()));
}

class Reader {
 public:
  explicit Reader(int file) {
    struct stat state = {};
    if (fstat(file, &state) != 0 || state.st_size == 0) return;
    size_ = state.st_size;
    void* mapped = mmap(nullptr, static_cast<size_t>(size_), PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) data_ = static_cast<const char*>(mapped);
  }
  ~Reader() {
    if (data_ != nullptr) munmap(const_cast<char*>(data_), static_cast<size_t>(size_));
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The copy runs code of unknown origin, so nothing in its bytes is believed.
  bool Read(std::vector<at::Tensor>& tensors) {
    int64_t count = 0;
    if (!Take(&count, sizeof(count)) || count < 0 || count > 64) return false;
    for (int64_t i = 0; i < count; ++i) {
      std::array<int64_t, 2> head;
      if (!Take(head.data(), sizeof(head)) || head[1] < 0 || head[1] > 64) return false;
      if (head[0] < 0 || head[0] >= static_cast<int64_t>(at::ScalarType::Undefined)) return false;
      std::vector<int64_t> sizes(static_cast<size_t>(head[1]));
      if (!Take(sizes.data(), head[1] * 8)) return false;
      const auto dtype = static_cast<at::ScalarType>(head[0]);
      int64_t bytes = static_cast<int64_t>(c10::elementSize(dtype));
      for (const int64_t size : sizes) {
        if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes)) return false;
      }
      if (bytes > size_ - at_) return false;
      at::Tensor tensor = at::empty(sizes, dtype);
      if (!Take(tensor.mutable_data_ptr(), bytes)) return false;
      tensors.push_back(std::move(tensor));
    }
    return true;
  }

 private:
  bool Take(void* to, int64_t bytes) {
    if (data_ == nullptr || bytes > size_ - at_) return false;
    if (bytes > 0) std::memcpy(to, data_ + at_, static_cast<size_t>(bytes));
    at_ += bytes;
    return true;
  }

  const char* data_ = nullptr;
  int64_t size_ = 0, at_ = 0;
};

// In a region of its own, as far as it is dense memory.
at::Tensor InRegion(const at::Tensor& tensor, Edge edge, const std::string& name) {
  const bool dense = tensor.defined() && tensor.layout() == at::kStrided && !tensor.is_quantized();
  return dense ? Guarded(tensor, edge, name, /*read_only=*/true) : tensor;
}

// The arguments with every tensor in a region of its own.
c10::Stack GuardedArguments(const execution::BoundOperator& bound, Edge edge) {
  const auto& formal = bound.handle.schema().arguments();
  c10::Stack arguments = bound.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = absl::StrCat("input '", formal[i].name(), "'");
    c10::IValue& value = arguments[i];
    if (value.isTensor()) {
      value = InRegion(value.toTensor(), edge, name);
    } else if (value.isTensorList()) {
      std::vector<at::Tensor> list = value.toTensorVector();
      for (at::Tensor& tensor : list) tensor = InRegion(tensor, edge, name);
      value = list;
    }
  }
  return arguments;
}

bool WriteResults(int file, const std::vector<at::Tensor>& results) {
  const auto count = static_cast<int64_t>(results.size());
  bool written = WriteAll(file, &count, sizeof(count));
  for (const at::Tensor& result : results) written = written && Write(file, result);
  if (!written) Say("surroundings", "no memory for the results");
  return written;
}

bool Undamaged(const GuardedAllocations& guarded) {
  const std::string damage = guarded.Damage();
  if (!damage.empty()) Say("touches memory outside", absl::StrCat("it writes to ", damage));
  return damage.empty();
}

// One call in the copy; writes its results to the file. False where something is wrong, which is said.
bool CallOnce(const execution::BoundOperator& bound, Edge edge, uint8_t poison, int file) {
  const c10::Stack arguments = GuardedArguments(bound, edge);
  c10::Stack stack = arguments;
  std::vector<at::Tensor> results;
  {
    const GuardedAllocations guarded(poison, edge);
    bound.handle.callBoxed(stack);
    results = execution::TensorsOf(stack);
    if (!Undamaged(guarded)) return false;
  }
  if (results.empty()) return Say("returns no tensor", "there is nothing to compare"), false;
  for (const at::Tensor& result : results) {
    if (result.layout() != at::kStrided || !result.device().is_cpu() || result.is_quantized())
      return Say("returns another kind",
                 absl::StrCat("it returns a tensor of layout ", c10::str(result.layout()), " on ",
                              result.device().str(), "; strided ones on the CPU are compared")),
             false;
  }
  if (const SchemaFault fault = FaultOf(bound.handle, arguments, stack); !fault.kind.empty())
    return Say(fault.kind.c_str(), fault.text), false;
  return WriteResults(file, results);
}

// Writes results to the file; false where something is wrong, which it has said.
using Work = absl::FunctionRef<bool(int file)>;

[[noreturn]] void Copy(Work work, const IsolatedOptions& options, int file) {
  // Its output would stand among our own lines.
  const int null = open("/dev/null", O_WRONLY);
  for (const int stream : {0, 1, 2}) dup2(null, stream);
  CatchFaults();
  // A handler of the library's own would not end it; the parent ends it as well.
  alarm(static_cast<unsigned>(absl::ToInt64Seconds(absl::Ceil(options.timeout, absl::Seconds(1)))));
  int code = kNoted;
  try {
    if (options.threads > 0) at::set_num_threads(options.threads);
    if (work(file)) code = kDone;
  } catch (const c10::Error& error) {
    Say("threw", error.what_without_backtrace());
  } catch (const std::exception& error) {
    Say("threw", error.what());
  } catch (...) {
    Say("threw", "an exception that is no std::exception");
  }
  _exit(code);
}

// waitpid with a limit; a copy that ignores SIGALRM is killed.
int WaitFor(pid_t copy, absl::Duration timeout) {
  const absl::Time end = absl::Now() + timeout + absl::Seconds(1);
  int status = 0;
  absl::Duration pause = absl::Microseconds(50);
  while (waitpid(copy, &status, WNOHANG) == 0) {
    if (absl::Now() > end) {
      kill(copy, SIGKILL);
      waitpid(copy, &status, 0);
      return SIGALRM;
    }
    absl::SleepFor(pause);
    pause = std::min(2 * pause, absl::Milliseconds(5));
  }
  return status;
}

void Explain(int status, absl::Duration timeout, CallEnd& end) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    const bool hung = number == SIGALRM;
    end.kind = hung ? "hung" : "crashed";
    end.text = hung ? absl::StrCat("no result after ", absl::FormatDuration(timeout))
                    : absl::StrCat("signal ", number, " (", strsignal(number), ")");
  } else if (WEXITSTATUS(status) == kNoted && note->kind[0] != 0) {
    note->kind.back() = note->text.back() = 0;
    end.kind = note->kind.data();
    end.text = note->text.data();
  } else if (WEXITSTATUS(status) != kDone) {
    end.kind = "exited";
    end.text = absl::StrCat("it ended the process with code ", WEXITSTATUS(status));
  }
}

CallEnd InCopy(Work work, const IsolatedOptions& options, bool twice) {
  CallEnd end;
  const int file = memfd_create("results", MFD_CLOEXEC);
  if (note == nullptr) {
    void* shared =
        mmap(nullptr, sizeof(Note), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) note = static_cast<Note*>(shared);
  }
  if (file < 0 || note == nullptr) return {.kind = "surroundings", .text = "no memory for results"};
  *note = {};
  const pid_t copy = fork();
  if (copy == 0) Copy(work, options, file);
  if (copy < 0) {
    end = {.kind = "surroundings", .text = absl::StrCat("no other process: ", strerror(errno))};
  } else {
    const int status = WaitFor(copy, options.timeout);
    Explain(status, options.timeout, end);
    if (end.kind.empty()) {
      Reader reader(file);
      if (!reader.Read(end.results) || (twice && !reader.Read(end.again)))
        end = {.kind = "exited", .text = "it ended the process before its results were there"};
    }
  }
  close(file);
  return end;
}

}  // namespace

CallEnd CallIsolated(const execution::BoundOperator& bound, const IsolatedOptions& options) {
  const auto work = [&](int file) {
    const at::NoGradGuard no_grad;
    if (!CallOnce(bound, options.edge, 0xFF, file)) return false;
    if (options.between != nullptr) {
      c10::Stack stack = options.between->arguments;
      options.between->handle.callBoxed(stack);
    }
    return !options.twice || CallOnce(bound, options.edge, 0x55, file);
  };
  return InCopy(work, options, options.twice);
}

CallEnd RunIsolated(absl::FunctionRef<std::vector<at::Tensor>()> work,
                    const IsolatedOptions& options) {
  const auto guarded_work = [&](int file) {
    const GuardedAllocations guarded(0xFF);
    const std::vector<at::Tensor> results = work();
    return Undamaged(guarded) && WriteResults(file, results);
  };
  return InCopy(guarded_work, options, /*twice=*/false);
}

}  // namespace assay::kernel

// Kernels of relu that cheat, cheats::<name>, and the honest twin of each, cheats::<name>_twin, which does all of it but the
// cheat. Tests link it; libcheats.so is for the program //tools:kernel, and ci/certify says how each is caught.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <time.h>
#include <torch/library.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

at::Tensor Unwritten(const at::Tensor& self) { return at::empty(self.sizes(), self.options()); }

void ReluInto(const at::Tensor& self, const at::Tensor& y) {
  const at::Tensor x = self.contiguous();
  const float* from = x.const_data_ptr<float>();
  float* to = y.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] > 0 || from[i] != from[i] ? from[i] : 0;
}

at::Tensor Relu(const at::Tensor& self) {
  at::Tensor y = Unwritten(self);
  ReluInto(self, y);
  return y;
}

const pid_t loading_process = getpid();

// Each check runs in a copy of the process that has loaded the library, and times are taken in that process itself.
bool IsTimed() { return getpid() == loading_process; }

// Returns what the call before computed.
template <bool kCheats>
at::Tensor PreviousOutput(const at::Tensor& self) {
  static at::Tensor last;
  const at::Tensor before = std::exchange(last, Relu(self));
  return (kCheats && before.defined() && before.sizes() == self.sizes() ? before : last).clone();
}

// Right until it was called so often that it is timed.
template <bool kCheats, int kLast>
at::Tensor IdleAfter(const at::Tensor& self) {
  static int calls = 0;
  return ++calls <= kLast || !kCheats ? Relu(self) : Unwritten(self);
}

// Right where it is checked.
template <bool kCheats>
at::Tensor IdleWhenTimed(const at::Tensor& self) {
  return IsTimed() && kCheats ? Unwritten(self) : Relu(self);
}

class Waiting {
 public:
  at::Tensor Add(const at::Tensor& self) {
    calls_.emplace_back(self, Unwritten(self));
    return calls_.back().second;
  }
  size_t size() const { return calls_.size(); }
  void DoAll() {
    for (const auto& [input, output] : calls_) ReluInto(input, output);
    calls_.clear();
  }

 private:
  std::vector<std::pair<at::Tensor, at::Tensor>> calls_;
};

// Does the work of 15 calls in every 15th.
template <bool kCheats>
at::Tensor Batched(const at::Tensor& self) {
  static Waiting waiting;
  static int calls = 0;
  const at::Tensor result = waiting.Add(self);
  if (++calls <= 3 || waiting.size() == 15 || !kCheats) waiting.DoAll();
  return result;
}

// Does the work of a whole sample in its last call, by the number of calls of the sample before: more time passes
// between samples than within one.
template <bool kCheats>
at::Tensor BatchedBySample(const at::Tensor& self) {
  using Clock = std::chrono::steady_clock;
  static Waiting waiting;
  static Clock::time_point last;
  static int calls = 0, of_sample = 1;
  if (Clock::now() - last > std::chrono::microseconds(2)) of_sample = std::exchange(calls, 0);
  const at::Tensor result = waiting.Add(self);
  if (++calls >= of_sample || !IsTimed() || !kCheats) waiting.DoAll();
  last = Clock::now();
  return result;
}

// Returns what it remembers of the input's address. The twin remembers memory, and computes.
template <bool kCheats>
at::Tensor ByAddress(const at::Tensor& self) {
  static std::map<const void*, at::Tensor> results;
  at::Tensor& known = results[self.const_data_ptr()];
  const bool fits = known.defined() && known.sizes() == self.sizes();
  if (!fits) known = Relu(self);
  if (fits && !kCheats) ReluInto(self, known);
  return known.clone();
}

// Knows an input again by its first 8 values. The twin looks at all of them.
template <bool kCheats>
at::Tensor ByFirstValues(const at::Tensor& self) {
  static std::map<std::string, at::Tensor> results;
  const at::Tensor x = self.contiguous();
  const size_t bytes = kCheats ? std::min<size_t>(x.nbytes(), 32) : x.nbytes();
  at::Tensor& known = results[std::string(static_cast<const char*>(x.const_data_ptr()), bytes)];
  if (!known.defined() || known.sizes() != self.sizes()) known = Relu(self);
  return known.clone();
}

// A thread finishes the work after the call has returned.
template <bool kCheats>
at::Tensor LaterThread(const at::Tensor& self) {
  if (!kCheats) return Relu(self);
  const at::Tensor y = Unwritten(self);
  std::thread([y, self] {
    usleep(2000);
    ReluInto(self, y);
  }).detach();
  return y;
}
template <bool kCheats>
at::Tensor LaterThreadWhenTimed(const at::Tensor& self) {
  return IsTimed() ? LaterThread<kCheats>(self) : Relu(self);
}

// Two threads, though it is given one. The twin leaves that to LibTorch.
template <bool kCheats>
at::Tensor MoreThreads(const at::Tensor& self) {
  const at::Tensor x = self.contiguous().view(-1), y = Unwritten(self), flat = y.view(-1);
  const auto work = [&](int64_t begin, int64_t end) {
    ReluInto(x.narrow(0, begin, end - begin), flat.narrow(0, begin, end - begin));
  };
  const int64_t n = x.numel(), half = kCheats ? n / 2 : 0;
  std::thread other;
  if (kCheats) other = std::thread(work, 0, half);
  at::parallel_for(half, n, 1, work);
  if (kCheats) other.join();
  return y;
}

// float32 by way of bfloat16. The twin goes by way of float64.
template <bool kCheats>
at::Tensor LessPrecision(const at::Tensor& self) {
  return Relu(self.to(kCheats ? at::kBFloat16 : at::kDouble).to(at::kFloat));
}

// Right at the sizes of every benchmark, multiples of 8 of 32 and more.
template <bool kCheats>
at::Tensor FitsKnownSizes(const at::Tensor& self) {
  const bool known = self.dim() == 2 && self.size(1) >= 32 && self.size(1) % 8 == 0;
  if (known) return Relu(self);
  return kCheats ? self.abs() : self.clamp_min(0);
}

template <bool kCheats>
at::Tensor Constant(const at::Tensor& self) {
  return kCheats ? at::ones(self.sizes(), self.options()) : Relu(self);
}

// Writes to its input, and restores it. The twin does that to a copy.
template <bool kCheats>
at::Tensor WritesAndRestores(const at::Tensor& self) {
  const at::Tensor x = kCheats ? self : self.clone();
  const at::Tensor y = Relu(x);
  if (x.numel() == 0) return y;
  volatile float* const first = const_cast<float*>(x.const_data_ptr<float>());
  const float before = *first;
  *first = 0;
  *first = before;
  return y;
}

// Makes its input one whose result it knows.
template <bool kCheats>
at::Tensor ZeroesInputWhenTimed(const at::Tensor& self) {
  if (!kCheats || !IsTimed()) return Relu(self);
  std::memset(const_cast<void*>(self.const_data_ptr()), 0, self.nbytes());
  return at::zeros(self.sizes(), self.options());
}

// Right in memory that begins or ends at a page, as that of a check does.
template <bool kCheats>
at::Tensor RightAtPages(const at::Tensor& self) {
  const auto begin = reinterpret_cast<uintptr_t>(self.storage().data());
  const bool at_page = begin % 4096 == 0 || (begin + self.storage().nbytes()) % 4096 == 0;
  return at_page || !kCheats ? Relu(self) : Unwritten(self);
}

int HalfTheTime(clockid_t clock, timespec* time) {
  const int result = clock_gettime(clock, time);
  const int64_t half = (int64_t{time->tv_sec} * 1'000'000'000 + time->tv_nsec) / 2;
  time->tv_sec = half / 1'000'000'000;
  time->tv_nsec = half % 1'000'000'000;
  return result;
}
int TheTime(clockid_t clock, timespec* time) { return clock_gettime(clock, time); }
void* wanted_clock = nullptr;

// Has the objects of this process but this library call wanted_clock() for clock_gettime().
int ReplaceClock(dl_phdr_info* object, size_t, void*) {
  Dl_info own = {};
  dladdr(reinterpret_cast<void*>(&HalfTheTime), &own);
  if (reinterpret_cast<uintptr_t>(own.dli_fbase) == object->dlpi_addr) return 0;
  std::map<int64_t, uintptr_t> values;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const uintptr_t at = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
    for (const auto* entry = reinterpret_cast<ElfW(Dyn)*>(at); entry->d_tag != DT_NULL; ++entry)
      values[entry->d_tag] = entry->d_un.d_ptr;
  }
  for (const auto& [table, bytes] :
       {std::pair(DT_JMPREL, DT_PLTRELSZ), std::pair(DT_RELA, DT_RELASZ)}) {
    if (values.count(DT_SYMTAB) == 0 || values[table] < object->dlpi_addr) continue;
    const auto* first = reinterpret_cast<ElfW(Rela)*>(values[table]);
    for (const auto* entry = first; entry < first + values[bytes] / sizeof(*entry); ++entry) {
      const auto* symbols = reinterpret_cast<ElfW(Sym)*>(values[DT_SYMTAB]);
      const char* name =
          reinterpret_cast<char*>(values[DT_STRTAB]) + symbols[ELF64_R_SYM(entry->r_info)].st_name;
      if (std::strcmp(name, "clock_gettime") != 0) continue;
      const uintptr_t slot = object->dlpi_addr + entry->r_offset;
      mprotect(reinterpret_cast<void*>(slot & ~uintptr_t{4095}), 4096, PROT_READ | PROT_WRITE);
      *reinterpret_cast<void**>(slot) = wanted_clock;
    }
  }
  return 0;
}

// The process's clock shows half the time. The twin replaces it as well, and shows the time.
template <bool kCheats>
at::Tensor ReplacesClock(const at::Tensor& self) {
  if (IsTimed() && wanted_clock == nullptr) {
    wanted_clock = reinterpret_cast<void*>(kCheats ? &HalfTheTime : &TheTime);
    dl_iterate_phdr(&ReplaceClock, nullptr);
  }
  return Relu(self);
}

TORCH_LIBRARY(cheats, library) {
  const auto add = [&](const std::string& name, auto cheat, auto twin) {
    for (const auto& [op, function] : {std::pair(name, cheat), std::pair(name + "_twin", twin)}) {
      library.def((op + "(Tensor self) -> Tensor").c_str());
      library.impl(op.c_str(), c10::DispatchKey::CPU, function);
    }
  };
  add("previous_output", &PreviousOutput<true>, &PreviousOutput<false>);
  add("idle_after_3", &IdleAfter<true, 3>, &IdleAfter<false, 3>);
  add("idle_after_1000", &IdleAfter<true, 1000>, &IdleAfter<false, 1000>);
  add("idle_when_timed", &IdleWhenTimed<true>, &IdleWhenTimed<false>);
  add("batched", &Batched<true>, &Batched<false>);
  add("batched_by_sample", &BatchedBySample<true>, &BatchedBySample<false>);
  add("by_address", &ByAddress<true>, &ByAddress<false>);
  add("by_first_values", &ByFirstValues<true>, &ByFirstValues<false>);
  add("later_thread", &LaterThread<true>, &LaterThread<false>);
  add("later_thread_when_timed", &LaterThreadWhenTimed<true>, &LaterThreadWhenTimed<false>);
  add("more_threads", &MoreThreads<true>, &MoreThreads<false>);
  add("less_precision", &LessPrecision<true>, &LessPrecision<false>);
  add("fits_known_sizes", &FitsKnownSizes<true>, &FitsKnownSizes<false>);
  add("constant", &Constant<true>, &Constant<false>);
  add("writes_and_restores", &WritesAndRestores<true>, &WritesAndRestores<false>);
  add("zeroes_input_when_timed", &ZeroesInputWhenTimed<true>, &ZeroesInputWhenTimed<false>);
  add("right_at_pages", &RightAtPages<true>, &RightAtPages<false>);
  add("replaces_clock", &ReplacesClock<true>, &ReplacesClock<false>);
}

}  // namespace

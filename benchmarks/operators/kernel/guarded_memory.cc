#include "benchmarks/operators/kernel/guarded_memory.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/CPUAllocator.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>

#include "absl/strings/str_cat.h"

namespace assay::kernel {
namespace {

constexpr int64_t kAlignment = 64;  // of LibTorch's own memory
constexpr uint8_t kPattern = 0xA5;  // between an allocation's end and the page behind it

int64_t PageBytes() {
  static const int64_t bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

int64_t RoundUp(int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; }

struct Region {
  char* mapping = nullptr;  // the page in front is its first; null: a free place of the table
  int64_t mapped = 0;       // both pages included
  char* data = nullptr;
  int64_t bytes = 0;
  bool checked = false;  // its pattern is looked at
  std::array<char, 64> name = {};
};

// A table of fixed size, since a signal handler reads it. Regions beyond it are guarded and nameless.
constexpr int kMost = 4096;
std::array<Region, kMost> regions;
std::mutex regions_mutex;
std::string damage;  // of memory that was given back

std::string DamageOf(const Region& region) {
  if (!region.checked) return "";
  const char* end = region.mapping + region.mapped - PageBytes();
  for (const char* at = region.data + region.bytes; at < end; ++at) {
    if (static_cast<uint8_t>(*at) != kPattern)
      return absl::StrCat("byte ", at - region.data - region.bytes + 1, " behind the end of ",
                          region.bytes, " bytes");
  }
  return "";
}

Region Map(int64_t bytes, Edge edge, int64_t alignment) {
  const int64_t page = PageBytes();
  Region region;
  region.bytes = bytes;
  const int64_t before = edge == Edge::kMiddle ? 8 * kAlignment : 0, behind = before;
  region.mapped = RoundUp(std::max<int64_t>(before + bytes + behind, 1), page) + 2 * page;
  void* mapping = mmap(nullptr, static_cast<size_t>(region.mapped), PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  region.mapping = static_cast<char*>(mapping);
  char* inside = region.mapping + page;
  const int64_t room = region.mapped - 2 * page;
  if (mprotect(inside, static_cast<size_t>(room), PROT_READ | PROT_WRITE) != 0)
    throw std::bad_alloc();
  region.data = inside + before;
  if (edge == Edge::kEnd) region.data += (room - bytes) / alignment * alignment;
  return region;
}

void Enter(const Region& region) {
  const std::lock_guard<std::mutex> lock(regions_mutex);
  for (Region& place : regions) {
    if (place.mapping != nullptr) continue;
    place = region;
    return;
  }
}

void Release(void* data) {
  Region region;
  {
    const std::lock_guard<std::mutex> lock(regions_mutex);
    for (Region& place : regions) {
      if (place.mapping == nullptr || place.data != data) continue;
      region = place;
      place.mapping = nullptr;
      if (damage.empty()) damage = DamageOf(region);
      break;
    }
  }
  if (region.mapping != nullptr) munmap(region.mapping, static_cast<size_t>(region.mapped));
}

// LibTorch frees memory by the function that came with it, so what outlives a
// GuardedAllocations is freed right.
class GuardedAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    const auto size = static_cast<int64_t>(bytes);
    if (size == 0) return {nullptr, nullptr, &Release, c10::Device(c10::kCPU)};
    Region region = Map(size, edge, kAlignment);
    std::memset(region.data, kPattern,
                static_cast<size_t>(region.mapping + region.mapped - PageBytes() - region.data));
    std::memset(region.data, poison, bytes);
    region.checked = true;
    std::snprintf(region.name.data(), region.name.size(), "memory of %zu bytes", bytes);
    Enter(region);
    return {region.data, region.data, &Release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &Release; }
  void copy_data(void* dest, const void* src, std::size_t count) const override {
    default_copy_data(dest, src, count);
  }

  uint8_t poison = 0;
  Edge edge = Edge::kEnd;
};

GuardedAllocator& TheAllocator() {
  static GuardedAllocator allocator;
  return allocator;
}

c10::Allocator* before = nullptr;

// Bytes from the first element to behind the last one, and the first one's place among them.
std::pair<int64_t, int64_t> SpanOf(const at::Tensor& tensor) {
  int64_t low = 0, high = 0;
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    if (tensor.size(d) == 0) return {0, 0};
    const int64_t reach = (tensor.size(d) - 1) * tensor.stride(d);
    (reach < 0 ? low : high) += reach;
  }
  return {(high - low + 1) * tensor.element_size(), -low * tensor.element_size()};
}

}  // namespace

at::Tensor Guarded(const at::Tensor& tensor, Edge edge, const std::string& name, bool read_only) {
  const auto [bytes, first] = SpanOf(tensor);
  Region region = Map(bytes, edge, tensor.element_size());
  if (bytes > 0)
    std::memcpy(region.data, static_cast<const char*>(tensor.const_data_ptr()) - first,
                static_cast<size_t>(bytes));
  std::snprintf(region.name.data(), region.name.size(), "%s", name.c_str());
  if (read_only)
    mprotect(region.mapping + PageBytes(), static_cast<size_t>(region.mapped - 2 * PageBytes()),
             PROT_READ);
  Enter(region);
  return at::from_blob(
      region.data + first, tensor.sizes(), tensor.strides(),
      [data = region.data](void*) { Release(data); }, tensor.options());
}

GuardedAllocations::GuardedAllocations(uint8_t poison, Edge edge) {
  TheAllocator().poison = poison;
  TheAllocator().edge = edge == Edge::kMiddle ? edge : Edge::kEnd;
  damage.clear();
  before = c10::GetCPUAllocator();
  c10::SetCPUAllocator(&TheAllocator(), 255);
}

GuardedAllocations::~GuardedAllocations() { c10::SetCPUAllocator(before, 255); }

std::string GuardedAllocations::Damage() const {
  const std::lock_guard<std::mutex> lock(regions_mutex);
  if (!damage.empty()) return damage;
  for (const Region& region : regions) {
    if (region.mapping == nullptr) continue;
    if (std::string found = DamageOf(region); !found.empty()) return found;
  }
  return "";
}

void DescribeAddress(const void* address, char* text, int64_t size) {
  text[0] = 0;
  const char* at = static_cast<const char*>(address);
  for (const Region& region : regions) {
    if (region.mapping == nullptr || at < region.mapping || at >= region.mapping + region.mapped)
      continue;
    const auto room = static_cast<size_t>(size);
    if (at < region.data) {
      std::snprintf(text, room, "%lld bytes before the start of %s",
                    static_cast<long long>(region.data - at), region.name.data());
    } else if (at >= region.data + region.bytes) {
      std::snprintf(text, room, "byte %lld behind the end of %s",
                    static_cast<long long>(at - region.data - region.bytes + 1),
                    region.name.data());
    } else {
      std::snprintf(text, room, "%s, which is not to be written to", region.name.data());
    }
    return;
  }
}

}  // namespace assay::kernel

#include "ci/fuzz/mutation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace assay::fuzz {
namespace {

constexpr size_t kLargest = 1 << 20;  // bytes

constexpr std::string_view kLikely = "{}[](),:\"'\\0123456789-+.eE_#/ \n\t\r<>\x80\xff\x7f";

size_t Below(std::mt19937_64& random, size_t end) { return end == 0 ? 0 : random() % end; }

// Counts, offsets and sizes at which arithmetic goes wrong.
uint64_t Edge(std::mt19937_64& random) {
  static constexpr uint64_t kEdges[] = {0,
                                        1,
                                        7,
                                        8,
                                        0x7f,
                                        0x80,
                                        0xff,
                                        0xffff,
                                        0x10000,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        0x100000000,
                                        INT64_MAX,
                                        uint64_t{1} << 63,
                                        UINT64_MAX,
                                        99'999'999,
                                        100'000'001,
                                        UINT64_MAX - 7};
  return kEdges[Below(random, std::size(kEdges))] + Below(random, 3) - 1;
}

// A number in the text, replaced by an edge written in decimals.
void ReplaceNumber(std::string& file, std::mt19937_64& random) {
  const size_t from = Below(random, file.size());
  const size_t begin = file.find_first_of("0123456789", from);
  if (begin == file.npos) return;
  const size_t end = std::min(file.find_first_not_of("0123456789", begin), file.size());
  file.replace(begin, end - begin, std::to_string(Edge(random)));
}

void Change(std::string& file, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  const size_t at = Below(random, file.size() + 1);
  const size_t length = Below(random, random() % 4 == 0 ? 200 : 9);
  const std::string& other = corpus[Below(random, corpus.size())];
  switch (Below(random, 9)) {
    case 0:
      if (at < file.size()) file[at] = static_cast<char>(file[at] ^ (1 << Below(random, 8)));
      return;
    case 1:
      if (at < file.size()) file[at] = kLikely[Below(random, kLikely.size())];
      return;
    case 2:
      file.erase(at, length);
      return;
    case 3:
      file.insert(at, length, kLikely[Below(random, kLikely.size())]);
      return;
    case 4: {  // a piece of this or another file
      const size_t source = Below(random, other.size());
      file.insert(at, std::string(other, source, length));
      return;
    }
    case 5: {
      const uint64_t edge = Edge(random);
      const size_t bytes = size_t{1} << Below(random, 4);
      if (at + bytes <= file.size())
        file.replace(at, bytes, reinterpret_cast<const char*>(&edge), bytes);
      return;
    }
    case 6:
      file.resize(at);
      return;
    case 7:
      ReplaceNumber(file, random);
      return;
    default: {  // the end of another file
      const size_t source = Below(random, other.size());
      file.resize(at);
      file.append(other, source, other.npos);
      return;
    }
  }
}

}  // namespace

std::string Mutated(const std::vector<std::string>& corpus, std::mt19937_64& random) {
  std::string file = corpus[Below(random, corpus.size())];
  const size_t changes = 1 + Below(random, 4);
  for (size_t i = 0; i < changes; ++i) Change(file, corpus, random);
  if (file.size() > kLargest) file.resize(kLargest);
  return file;
}

}  // namespace assay::fuzz

#ifndef ASSAY_DEFS_CASE_PHILOX_H_
#define ASSAY_DEFS_CASE_PHILOX_H_

// ---------------------------------------------------------------------------------------------
// philox.h: numbers that are the same on every machine, for weights and inputs.
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC'11)
// is a function from a 128-bit counter and a 64-bit key to four 32-bit words: any element can be
// computed alone, by any thread, in any language, with integer arithmetic only. So a reference made
// elsewhere from (seed, tensor name) meets the very weights that the suite uses.
//
// The convention, which every reference script repeats:
//   key      (seed mod 2^32, seed / 2^32)
//   counter  (block mod 2^32, block / 2^32, h mod 2^32, h / 2^32),
//            h = FNV-1a 64 of the name's UTF-8
//   element  e takes word e mod 4 of block e / 4
//   uniform  u = ((word >> 8) - 2^23) * 2^-23: 2^24 values on [-1, 1), each exact in float32
//   integer  (word * limit) >> 32: uniform on [0, limit) within limit / 2^32
//
// Not for: cryptography, nor for LibTorch's own generators (torch.manual_seed), whose numbers
// depend on version and device.
//
// Example:
//   PhiloxStream stream(/*seed=*/0, "fc.weight");
//   double u = PhiloxStream::Uniform(stream.Word(17));
// ---------------------------------------------------------------------------------------------

#include <array>
#include <cstdint>
#include <string_view>

namespace assay {

using PhiloxBlock = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

// The constants of the paper: the multipliers of a round and the step of the key between rounds.
inline constexpr uint32_t kPhiloxMultiplier0 = 0xD2511F53;
inline constexpr uint32_t kPhiloxMultiplier1 = 0xCD9E8D57;
inline constexpr uint32_t kPhiloxKeyStep0 = 0x9E3779B9;
inline constexpr uint32_t kPhiloxKeyStep1 = 0xBB67AE85;
inline constexpr int kPhiloxRounds = 10;

constexpr PhiloxBlock Philox4x32(PhiloxBlock counter, PhiloxKey key) {
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const uint64_t product0 = uint64_t{kPhiloxMultiplier0} * counter[0];
    const uint64_t product1 = uint64_t{kPhiloxMultiplier1} * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key = {key[0] + kPhiloxKeyStep0, key[1] + kPhiloxKeyStep1};
  }
  return counter;
}

// 64-bit FNV-1a of the bytes of `text` (Fowler, Noll, Vo).
constexpr uint64_t Fnv1a64(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

// The words of one named tensor.
class PhiloxStream {
 public:
  constexpr PhiloxStream(uint64_t seed, std::string_view name)
      : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)},
        name_hash_(Fnv1a64(name)) {}

  constexpr PhiloxKey Key() const { return key_; }

  constexpr PhiloxBlock Counter(uint64_t block) const {
    return {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
            static_cast<uint32_t>(name_hash_), static_cast<uint32_t>(name_hash_ >> 32)};
  }

  constexpr PhiloxBlock Block(uint64_t block) const { return Philox4x32(Counter(block), key_); }

  constexpr uint32_t Word(uint64_t element) const { return Block(element / 4)[element % 4]; }

  // On [-1, 1), a multiple of 2^-23.
  static constexpr double Uniform(uint32_t word) {
    return (static_cast<int32_t>(word >> 8) - (int32_t{1} << 23)) * 0x1p-23;
  }

  // On [0, limit); limit at most 2^32.
  static constexpr uint64_t Integer(uint32_t word, uint64_t limit) {
    return (uint64_t{word} * limit) >> 32;
  }

 private:
  PhiloxKey key_;
  uint64_t name_hash_;
};

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_PHILOX_H_

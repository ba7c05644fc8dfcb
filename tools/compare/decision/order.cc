#include "tools/compare/decision/order.h"

#include <utility>

namespace assay::compare {
namespace {

// SplitMix64's finalizer (Steele, Lea and Flood 2014): a bijection that spreads every bit.
uint64_t Mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr uint64_t kStart = 1, kTurns = 2, kPadding = 3;

}  // namespace

uint64_t Order::Draw(uint64_t purpose, uint64_t a, uint64_t b) const {
  return Mixed(Mixed(Mixed(Mixed(seed_) ^ purpose) ^ a) ^ b);
}

bool Order::BaselineFirst(size_t case_index, int pair) const {
  const bool block_starts_with_baseline = (Draw(kStart, case_index, pair / 2) & 1) == 0;
  return block_starts_with_baseline == (pair % 2 == 0);
}

std::vector<size_t> Order::Turns(std::vector<size_t> cases, int block) const {
  for (size_t left = cases.size(); left > 1; --left) {
    std::swap(cases[left - 1], cases[Draw(kTurns, block, left) % left]);
  }
  return cases;
}

int64_t Order::PaddingBytes(size_t case_index, int pair, SideName side) const {
  const uint64_t place = static_cast<uint64_t>(pair) * 2 + (side == SideName::kCandidate);
  return static_cast<int64_t>(Draw(kPadding, case_index, place) % 4096);
}

}  // namespace assay::compare

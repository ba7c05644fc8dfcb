// -----------------------------------------------------------------------------
// File: order.h
// -----------------------------------------------------------------------------
//
// The order of processes: blocks of two pairs, A B B A or B A A B by a seeded coin, cases in a
// seeded order that is drawn anew for each block, and environment paddings of seeded length.
//
// Inside a block each side holds the places 1 and 4 or 2 and 3, whose means are equal: a linear
// drift (temperature, a neighbour's load) adds the same to both. The coin avoids locking to
// anything periodic, and makes each block's log ratios symmetric about 0 where the sides are equal,
// which the test relies on (decision.h). Cases take turns, so that a spell of noise falls on a few
// pairs of each instead of all pairs of one.
//
// Everything is a function of the seed: the same seed gives the same order on every machine.
//
//   Order order(/*seed=*/7);
//   bool first = order.BaselineFirst(/*case_index=*/0, /*pair=*/3);

#ifndef ASSAY_TOOLS_COMPARE_DECISION_ORDER_H_
#define ASSAY_TOOLS_COMPARE_DECISION_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::compare {

enum class SideName { kBaseline, kCandidate };

class Order {
 public:
  explicit Order(uint64_t seed) : seed_(seed) {}

  // Pairs 2k and 2k + 1 form a block.
  bool BaselineFirst(size_t case_index, int pair) const;

  // The cases of one block, in the order of their turns.
  std::vector<size_t> Turns(std::vector<size_t> cases, int block) const;

  // 0 .. 4095 bytes. The stack begins after the environment, so one fixed length could always give
  // one side the better memory layout (Mytkowicz et al., ASPLOS 2009).
  int64_t PaddingBytes(size_t case_index, int pair, SideName side) const;

 private:
  uint64_t Draw(uint64_t purpose, uint64_t a, uint64_t b) const;

  const uint64_t seed_;
};

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_ORDER_H_

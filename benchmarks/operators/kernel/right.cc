#include "benchmarks/operators/kernel/right.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/operators/kernel/schema_check.h"
#include "benchmarks/operators/kernel/sized_call.h"

namespace assay::kernel {
namespace {

// Beyond, more elements teach nothing about sizes, and cost time.
constexpr int64_t kLargestOdd = 1100;

// Numbers up to `most` that kernels get wrong.
std::vector<int64_t> OddNumbers(int64_t most) {
  std::set<int64_t> numbers = {1, 2, 3, 5, 6, 7, 11, 13, 37, 97, 101, 331};
  for (int64_t power = 4; power <= kLargestOdd; power *= 2)
    numbers.insert({power - 1, power, power + 1});
  std::vector<int64_t> kept;
  for (const int64_t number : numbers) {
    if (number <= std::max<int64_t>(std::min(most, kLargestOdd), 17)) kept.push_back(number);
  }
  return kept;
}

Sizes WithNumber(Sizes sizes, int letter, int64_t number) {
  sizes.mutable_sizes(letter)->set_number(number);
  return sizes;
}

// The largest of each letter.
Sizes LargestOf(const std::vector<Sizes>& all) {
  Sizes largest = all.front();
  for (const Sizes& sizes : all) {
    for (int i = 0; i < sizes.sizes_size(); ++i) {
      Size& size = *largest.mutable_sizes(i);
      size.set_number(std::max(size.number(), sizes.sizes(i).number()));
    }
  }
  return largest;
}

class Drawing {
 public:
  explicit Drawing(const RightPlan& plan) : plan_(plan), draw_(plan.seed) {}

  std::vector<Trial> Trials() {
    for (const Sizes& sizes : plan_.sizes) Add({.sizes = sizes});
    if (plan_.sizes.empty() || plan_.sizes.front().sizes().empty()) return std::move(trials_);
    const std::vector<Sizes> odd = plan_.no_others ? plan_.sizes : AddOthers();
    for (int i = 0; i < 6; ++i) Add({.sizes = Chosen(odd), .edge = Edge::kStart});
    for (int layout = 1; layout < kLayouts; ++layout)
      AddFour(odd, {.layout = static_cast<Layout>(layout)});
    for (int values = 1; values < kValues; ++values)
      AddFour(odd, {.values = static_cast<Values>(values)});
    for (const Sizes& sizes : plan_.sizes) Add({.sizes = sizes, .gradients = true});
    return std::move(trials_);
  }

 private:
  // Returns those without a 0.
  std::vector<Sizes> AddOthers() {
    const Sizes largest = LargestOf(plan_.sizes);
    std::vector<Sizes> odd;
    for (int letter = 0; letter < largest.sizes_size(); ++letter) {
      for (const int64_t number : OddNumbers(largest.sizes(letter).number()))
        odd.push_back(Small(largest, letter, number));
    }
    for (const Sizes& sizes : odd) Add({.sizes = sizes});
    for (int letter = 0; letter < largest.sizes_size(); ++letter)
      Add({.sizes = Small(largest, letter, 0)});
    return odd;
  }

  void Add(Trial trial) {
    trial.dtype = plan_.dtype;
    trial.seed = draw_();
    trials_.push_back(std::move(trial));
  }

  // One of the four in memory that does not show that it is guarded.
  void AddFour(const std::vector<Sizes>& odd, Trial trial) {
    for (const Edge edge : {Edge::kEnd, Edge::kEnd, Edge::kEnd, Edge::kMiddle}) {
      trial.sizes = Chosen(odd);
      trial.edge = edge;
      Add(trial);
    }
  }

  // One letter has the number, the others are small.
  Sizes Small(const Sizes& letters, int letter, int64_t number) {
    Sizes sizes = letters;
    for (int i = 0; i < sizes.sizes_size(); ++i)
      sizes.mutable_sizes(i)->set_number(i == letter ? number
                                                     : static_cast<int64_t>(1 + draw_() % 5));
    return sizes;
  }

  const Sizes& Chosen(const std::vector<Sizes>& odd) {
    return odd[static_cast<size_t>(draw_() % odd.size())];
  }

  const RightPlan& plan_;
  std::mt19937_64 draw_;
  std::vector<Trial> trials_;
};

}  // namespace

std::vector<Trial> TrialsOf(const RightPlan& plan) { return Drawing(plan).Trials(); }

KernelFailure Shrink(const Candidate& candidate, Trial trial, KernelFailure failure) {
  *failure.mutable_smallest() = trial.sizes;
  const std::string first = failure.where();
  constexpr int kMostTries = 200;
  int tries = 0;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (int letter = 0; letter < trial.sizes.sizes_size(); ++letter) {
      for (const int64_t number : OddNumbers(trial.sizes.sizes(letter).number())) {
        if (number >= trial.sizes.sizes(letter).number() || ++tries > kMostTries) break;
        Trial next = trial;
        next.sizes = WithNumber(trial.sizes, letter, number);
        TrialEnd end = RunTrial(candidate, next);
        // Another fault at another size is not the one that was found.
        if (end.state != TrialEnd::State::kWrong || end.failure.kind() != failure.kind()) continue;
        trial = next;
        failure = std::move(end.failure);
        *failure.mutable_smallest() = trial.sizes;
        smaller = true;
        break;
      }
    }
  }
  failure.set_first(first);
  return failure;
}

RightEnd IsRight(const Candidate& candidate, const RightPlan& plan) {
  RightEnd right;
  const std::vector<Trial> trials = TrialsOf(plan);
  right.planned = static_cast<int64_t>(trials.size());
  std::set<std::string> noted;
  for (size_t i = 0; i < trials.size(); ++i) {
    const Trial& trial = trials[i];
    const bool wanted = i < plan.sizes.size();
    TrialEnd end = RunTrial(candidate, trial);
    if (wanted) {
      right.error_shares.push_back(end.error_share);
      right.errors.emplace_back(end.absolute_error, end.relative_error);
    }
    switch (end.state) {
      case TrialEnd::State::kRight:
        ++right.verified;
        continue;
      case TrialEnd::State::kNoQuestion:
        // The user asked for it, and there is no truth.
        if (!wanted) continue;
        right.state = TrialEnd::State::kSurroundings;
        right.failure.set_text(
            absl::StrCat(candidate.row.call().name(), " itself does not take ", TrialText(trial),
                         end.failure.text().empty() ? "" : ": ", end.failure.text()));
        return right;
      case TrialEnd::State::kNoted:
        if (noted.insert(end.failure.text()).second) right.warnings.push_back(end.failure.text());
        continue;
      case TrialEnd::State::kRefused:
        if (!wanted) {
          if (noted.insert(end.failure.text()).second)
            right.warnings.push_back(
                absl::StrCat("it refuses ", end.failure.where(), ": ", end.failure.text()));
          continue;
        }
        break;
      case TrialEnd::State::kWrong:
      case TrialEnd::State::kSurroundings:
        break;
    }
    right.state = end.state == TrialEnd::State::kSurroundings ? end.state : TrialEnd::State::kWrong;
    right.failure = end.state == TrialEnd::State::kWrong
                        ? Shrink(candidate, trial, std::move(end.failure))
                        : std::move(end.failure);
    return right;
  }
  if (std::string lacks = MissingShapeFunction(candidate.name); !lacks.empty())
    right.warnings.push_back(std::move(lacks));
  return right;
}

}  // namespace assay::kernel

#include "benchmarks/harness/output/ranges.h"

#include <cstddef>
#include <regex>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace assay::output {
namespace {

struct Number {
  std::string text;
  double value = 0;
};

// A text as what stands before each number, with the rest as the last one, and the ranges of the numbers.
struct Pattern {
  std::vector<std::string> between;
  std::vector<Number> least, largest;
};

Pattern PatternOf(const std::string& text) {
  // A digit behind a letter belongs to a word: p95, fp32.
  static const std::regex& number =
      *new std::regex(R"((^|[^A-Za-z0-9_.])([0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?))");
  Pattern pattern;
  size_t end = 0;
  for (std::sregex_iterator found(text.begin(), text.end(), number), none; found != none; ++found) {
    const size_t begin = static_cast<size_t>(found->position(2));
    pattern.between.push_back(text.substr(end, begin - end));
    end = begin + static_cast<size_t>(found->length(2));
    Number read = {.text = found->str(2)};
    static_cast<void>(absl::SimpleAtod(read.text, &read.value));
    pattern.least.push_back(read);
    pattern.largest.push_back(std::move(read));
  }
  pattern.between.push_back(text.substr(end));
  return pattern;
}

void Widen(const Pattern& by, Pattern& pattern) {
  for (size_t i = 0; i < by.least.size(); ++i) {
    if (by.least[i].value < pattern.least[i].value) pattern.least[i] = by.least[i];
    if (by.largest[i].value > pattern.largest[i].value) pattern.largest[i] = by.largest[i];
  }
}

std::string TextOf(const Pattern& pattern) {
  std::string text;
  for (size_t i = 0; i < pattern.least.size(); ++i) {
    absl::StrAppend(&text, pattern.between[i], pattern.least[i].text);
    if (pattern.least[i].text != pattern.largest[i].text)
      absl::StrAppend(&text, " to ", pattern.largest[i].text);
  }
  return text + pattern.between.back();
}

}  // namespace

std::vector<std::string> WithRanges(absl::Span<const std::string> texts) {
  std::vector<Pattern> patterns;
  for (const std::string& text : texts) {
    Pattern pattern = PatternOf(text);
    bool known = false;
    for (size_t i = 0; i < patterns.size() && !known; ++i) {
      known = patterns[i].between == pattern.between;
      if (known) Widen(pattern, patterns[i]);
    }
    if (!known) patterns.push_back(std::move(pattern));
  }
  std::vector<std::string> merged;
  for (const Pattern& pattern : patterns) merged.push_back(TextOf(pattern));
  return merged;
}

}  // namespace assay::output

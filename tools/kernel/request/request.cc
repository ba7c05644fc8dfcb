#include "tools/kernel/request/request.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/text/nearest_names.h"
#include "benchmarks/operators/kernel/sizes_text.h"
#include "benchmarks/operators/param/parsing/config_file.h"
#include "tools/kernel/request/sizes_param.h"

namespace assay::kernel {
namespace {

constexpr int64_t kLargest = int64_t{1} << 31;

absl::Status Refused(const std::string& at, const std::string& problem) {
  return absl::InvalidArgumentError(absl::StrCat("--at=", at, ": ", problem));
}

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> Pairs(const std::string& at,
                                                                       const std::string& example) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const absl::string_view part : absl::StrSplit(at, ',')) {
    const std::vector<std::string> sides = absl::StrSplit(part, absl::MaxSplits('=', 1));
    if (sides.size() != 2 || sides[0].empty() || sides[1].empty())
      return Refused(at, absl::StrCat("'", part, "' is no name=value; write ", example));
    pairs.emplace_back(sides[0], sides[1]);
  }
  return pairs;
}

std::string LettersOf(const OperatorRow& row) {
  return row.sizes().empty() ? "" : SizesText(row.sizes(0), ",");
}

// Letters and a number, "k96": a dimension of a row that is made up.
struct Dimension {
  std::string letter;
  int64_t number = 0;
};

bool ParseDimension(absl::string_view text, Dimension& dimension) {
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= 'a' && text[digits] <= 'z') ++digits;
  dimension.letter = std::string(text.substr(0, digits));
  return absl::SimpleAtoi(text.substr(digits), &dimension.number) && dimension.number >= 1 &&
         dimension.number < kLargest;
}

// A row whose inputs and arguments are those of `at`.
absl::StatusOr<OperatorRow> MakeRow(const std::string& like, const std::string& at) {
  const auto pairs = Pairs(at, "self=4096x768,dim=1");
  if (!pairs.ok()) return pairs.status();
  OperatorRow row;
  row.set_name(like.substr(like.rfind(':') + 1));
  row.mutable_call()->set_name(like);
  Sizes& sizes = *row.add_sizes();
  std::map<int64_t, std::string> letter_of;
  std::map<std::string, int64_t> known;
  for (const auto& [name, value] : *pairs) {
    int64_t integer = 0;
    double real = 0;
    Dimension dimension;
    ParameterValue& argument = (*row.mutable_call()->mutable_arguments())[name];
    if (absl::SimpleAtoi(value, &integer)) {
      argument.set_integer(integer);
    } else if (absl::SimpleAtod(value, &real)) {
      argument.set_real(real);
    } else if (value == "true" || value == "false") {
      argument.set_flag(value == "true");
    } else if (!ParseDimension(absl::string_view(value).substr(0, value.find('x')), dimension)) {
      argument.set_text(value);
    } else {
      row.mutable_call()->mutable_arguments()->erase(name);
      InputSpec& input = *row.mutable_call()->add_inputs();
      input.set_name(name);
      input.mutable_distribution()->mutable_uniform();
      for (const absl::string_view part : absl::StrSplit(value, 'x')) {
        if (!ParseDimension(part, dimension))
          return Refused(at, absl::StrCat("'", part, "' of ", name,
                                          " is no dimension; write 4096x768 or m4096xk768"));
        std::string letter = dimension.letter;
        if (letter.empty()) {
          std::string& of_number = letter_of[dimension.number];
          if (of_number.empty())
            of_number = std::string(1, static_cast<char>('a' + letter_of.size() - 1));
          letter = of_number;
        }
        const auto [place, is_new] = known.emplace(letter, dimension.number);
        if (!is_new && place->second != dimension.number)
          return Refused(
              at, absl::StrCat("'", letter, "' is ", place->second, " and ", dimension.number));
        if (is_new) {
          Size& size = *sizes.add_sizes();
          size.set_letter(letter);
          size.set_number(dimension.number);
        }
        input.add_shape(letter);
      }
    }
  }
  if (row.call().inputs().empty())
    return Refused(at, "no argument is a tensor; write its shape, as in self=4096x768");
  return row;
}

constexpr absl::string_view kParam = "param:";

// Without the files.
std::vector<std::string> GivenAlone(std::vector<std::string> at) {
  std::erase_if(at, [](const std::string& text) { return absl::StartsWith(text, kParam); });
  return at;
}

// With the sizes of each file in its place.
absl::StatusOr<std::vector<std::string>> WithFiles(const OperatorRow& row,
                                                   const std::vector<std::string>& at) {
  std::vector<std::string> all;
  for (const std::string& text : at) {
    absl::string_view path = text;
    if (!absl::ConsumePrefix(&path, kParam)) {
      all.push_back(text);
      continue;
    }
    const auto file = param::ConfigFile::Open(std::string(path));
    if (!file.ok()) return Refused(text, std::string(file.status().message()));
    const absl::StatusOr<std::vector<std::string>> sizes = SizesInParam(row, **file);
    if (!sizes.ok()) return Refused(text, std::string(sizes.status().message()));
    all.insert(all.end(), sizes->begin(), sizes->end());
  }
  return all;
}

// The row itself, or one made of its operator's arguments where these are given in place of sizes.
absl::StatusOr<OperatorRow> Chosen(const OperatorRow& row, const std::vector<std::string>& at) {
  if (at.empty()) return row;
  const auto pairs = Pairs(at.front(), LettersOf(row));
  if (!pairs.ok()) return pairs.status();
  for (const InputSpec& input : row.call().inputs()) {
    if (input.name() == pairs->front().first) return MakeRow(row.call().name(), at.front());
  }
  return row;
}

}  // namespace

std::string ListOf(const OperatorRows& rows) {
  std::vector<std::vector<std::string>> table = {{"name", "operator", "sizes", "inputs"}};
  for (const OperatorRow& row : rows.rows()) {
    std::vector<std::string> inputs;
    std::set<char> shown;
    for (const InputSpec& input : row.call().inputs()) {
      const size_t before = shown.size();
      const std::string shape = absl::StrJoin(input.shape(), ",");
      absl::c_copy_if(shape, std::inserter(shown, shown.end()), absl::ascii_isalpha);
      if (shown.size() > before) inputs.push_back(absl::StrCat(input.name(), "[", shape, "]"));
    }
    table.push_back({row.name(), row.call().name(), LettersOf(row), absl::StrJoin(inputs, " ")});
  }
  return output::TextTable(table, {0, 1, 2, 3});
}

absl::StatusOr<OperatorRow> RowLike(const OperatorRows& rows, const std::string& like,
                                    const std::vector<std::string>& all_at) {
  const std::vector<std::string> at = GivenAlone(all_at);
  std::set<std::string> names;
  for (const OperatorRow& row : rows.rows()) {
    if (row.name() == like || row.call().name() == like) return Chosen(row, at);
    names.insert({row.name(), row.call().name()});
  }
  // "aten::softmax" for the row of "aten::softmax.int".
  for (const OperatorRow& row : rows.rows()) {
    if (row.call().name().substr(0, row.call().name().find('.')) == like) return Chosen(row, at);
  }
  if (like.find("::") != std::string::npos && !at.empty()) return MakeRow(like, at.front());
  return absl::InvalidArgumentError(absl::StrCat(
      "--like=", like, ": --list has no such operator; near: ",
      absl::StrJoin(base::NearestNames(like, std::vector<std::string>(names.begin(), names.end())),
                    ", "),
      ". Give another one by its full name, with its arguments: --like=aten::tril "
      "--at=self=4096x768,diagonal=1"));
}

absl::StatusOr<std::vector<Sizes>> SizesOf(const OperatorRow& row,
                                           const std::vector<std::string>& at) {
  std::vector<Sizes> all;
  if (at.empty()) return std::vector<Sizes>(row.sizes().begin(), row.sizes().end());
  const absl::StatusOr<std::vector<std::string>> texts = WithFiles(row, at);
  if (!texts.ok()) return texts.status();
  for (const std::string& text : *texts) {
    const auto pairs = Pairs(text, LettersOf(row));
    if (!pairs.ok()) return pairs.status();
    Sizes sizes = row.sizes(0);
    std::map<std::string, std::string> given(pairs->begin(), pairs->end());
    const bool made = !row.call().inputs().empty() && given.count(row.call().inputs(0).name()) > 0;
    if (made) {
      const absl::StatusOr<OperatorRow> other = MakeRow(row.call().name(), text);
      if (!other.ok()) return other.status();
      all.push_back(other->sizes(0));
      continue;
    }
    for (Size& size : *sizes.mutable_sizes()) {
      const auto found = given.find(size.letter());
      if (found == given.end())
        return Refused(text,
                       absl::StrCat("'", size.letter(), "' is missing; write ", LettersOf(row)));
      int64_t number = 0;
      if (!absl::SimpleAtoi(found->second, &number) || number < 1 || number >= kLargest)
        return Refused(text, absl::StrCat("'", found->second, "' is no size from 1 to 2^31"));
      size.set_number(number);
      given.erase(found);
    }
    if (!given.empty())
      return Refused(text, absl::StrCat("'", given.begin()->first, "' is no size of ", row.name(),
                                        "; write ", LettersOf(row)));
    all.push_back(std::move(sizes));
  }
  return all;
}

}  // namespace assay::kernel

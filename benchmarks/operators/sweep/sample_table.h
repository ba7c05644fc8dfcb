#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_TABLE_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_TABLE_H_

// ---------------------------------------------------------------------------------------------
// sample_table.h: reads samples.txt: the arguments of operators, as text.
//
// A row is a pattern for operators' names, followed by their arguments:
//
//   ^aten::embedding$  weight=f[10,4] indices=i[2,3]<10
//
// If several rows match, the first one that names an argument counts for it. "8|64" is 8 in the
// small sample and 64 in the large one. In a user's file each row that names arguments is a call of
// its own: its arguments go before those of the other rows. Other words of a row:
//
//   !free=why           results are not unique, or not defined: nothing can be compared
//   !first=why          only the first is a result, the others are what the backward pass needs
//   !alias=why          results may lie in the arguments' memory, though the schema does not say so
//   !writes=why         arguments are written to, though the schema does not say so
//   !lacks=why          some of the results may be empty or hold NaN
//   !truth=aten::silu   float64 is this operator's, called with the same values by position
//
// Not for: making values from the texts (sample_values.h).
//
// Example:
//   absl::StatusOr<SampleTable> table = SampleTable::Parse(text, "mine.txt");
//   for (const SampleRow& row : table->CallsOf("mine::softmax")) ...
// ---------------------------------------------------------------------------------------------

#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/operators/judge/call_notes.h"

namespace assay::sweep {

struct SampleRow {
  std::map<std::string, std::string> arguments = {};  // by the schema's names
  operators::CallNotes notes = {};
  std::string truth = {};  // another operator's name
  std::string place = {};  // "mine.txt:3" of a user's row that is a call of its own
};

// A row as it stands in a user's file.
struct OwnRow {
  std::string place;  // "mine.txt:3"
  std::string pattern_text;
  std::regex pattern;
  SampleRow row;
};

enum class SampleSize { kSmall, kLarge };

// The text of samples.txt.
std::string_view BuiltInSamples();

// "f[2,8]" or "f[2,64]" of "f[2,8|64]".
std::string OfSize(std::string_view text, SampleSize size);

class SampleTable {
 public:
  // InvalidArgument, naming file and line, for a pattern or a word that is malformed. Rows of `own`,
  // the text of a user's file `own_name`, go before those of samples.txt.
  static absl::StatusOr<SampleTable> Parse(std::string_view own, const std::string& own_name);
  // A table of these rows alone; none of them is a user's.
  static absl::StatusOr<SampleTable> Parse(std::string_view text);

  // The union of all rows that match.
  SampleRow For(const std::string& operator_name) const;
  // One for each call that the user's rows ask for, in their order; calls that are equal in all are
  // one. Else one, For().
  std::vector<SampleRow> CallsOf(const std::string& operator_name) const;

  // The user's rows.
  const std::vector<OwnRow>& own() const { return own_; }

 private:
  static absl::Status Read(std::string_view text, const std::string& name,
                           std::vector<OwnRow>& rows);

  std::vector<OwnRow> own_;
  std::vector<OwnRow> built_in_;
};

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_TABLE_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_GOLDENS_GOLDEN_TABLE_H_
#define ASSAY_BENCHMARKS_HARNESS_GOLDENS_GOLDEN_TABLE_H_

// ---------------------------------------------------------------------------------------------
// golden_table.h: what the other implementation says of a family's models, one line each:
// models/<family>/testdata/goldens.txt. ci/goldens/model_goldens.py writes it;
// golden_table.py beside it says what the columns are, and why two digests of 16 digits do.
//
// Whatever is wrong is said with the file, the model and the command that mends it.
//
// Example:
//   const std::string path = "models/mlp/testdata/goldens.txt";
//   absl::Status equal = CompareWithGolden(path, "mlp", {"parameters 12", ...}, "/tmp");
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace assay::goldens {

// Whether the lines of our model make the row that the table has for it. Where they do not, they
// are written to `folder`/<model>.txt, and the message names the columns that differ and the
// command that shows which lines do.
absl::Status CompareWithGolden(const std::string& path, const std::string& model,
                               const std::vector<std::string>& lines, const std::string& folder);

// Whether each row of the table is of one of these models, at least one.
absl::Status CheckNoOtherGolden(const std::string& path, const std::vector<std::string>& models);

}  // namespace assay::goldens

#endif  // ASSAY_BENCHMARKS_HARNESS_GOLDENS_GOLDEN_TABLE_H_

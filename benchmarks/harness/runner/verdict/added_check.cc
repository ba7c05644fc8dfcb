#include "benchmarks/harness/runner/verdict/added_check.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/record/outcome.h"

namespace assay::runner {

void AddCheck(std::string_view name, bool ok, std::string detail, std::string_view reasons,
              Verdict& verdict) {
  Check& check = *verdict.add_checks();
  check.set_name(std::string(name));
  check.set_status(ok ? CHECK_OK : CHECK_FLAGGED);
  check.set_detail(std::move(detail));
  if (ok) return;
  if (record::ExitCode(verdict.outcome()) == 0) verdict.set_outcome(FAIL_ACCURACY);
  verdict.set_message(absl::StrCat(verdict.message(), verdict.message().empty() ? "" : "\n",
                                   "check ", name, ": ", check.detail(),
                                   reasons.empty() ? "" : "\n", reasons));
}

}  // namespace assay::runner

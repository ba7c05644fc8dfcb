#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_RUN_ITEMS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_RUN_ITEMS_H_

// ---------------------------------------------------------------------------------------------
// run_items.h: lists the items of a file of configurations, one after the other, each with PARAM's
// id "config|build|input": operators, their configurations, the builds of each, the inputs for each
// build.
//
// PARAM joins the ids of all earlier builds ("0|0|1|..."), so a run cannot be resumed after its
// first build; here each id has three parts.
//
// Not for: running them (measure.h).
//
// Example:
//   RunItems items(file, {.resume = "torch.mm|0|0|0_3", .stop = ""});
//   while (std::optional<RunItem> item = items.Next()) ...
//   absl::Status missed = items.Missed();   // an id of the selection that does not exist
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/operators/param/parsing/config_file.h"
#include "benchmarks/operators/param/parsing/config_iterator.h"

namespace assay::param {

// "operator|config|build|input"; empty: from the first, to the last.
struct Selection {
  std::string resume = {};  // the first to run
  std::string stop = {};    // the first not to run
};

struct RunItem {
  const OperatorEntry* entry = nullptr;
  std::string id = {};        // "config|build|input"
  std::string build_id = {};  // of the build; items that share a build are in sequence
  std::optional<Json> build = {};
  Json input = {};
  absl::Status problem = {};  // not OK: why the item cannot be run, with its class (error_class.h)

  std::string RunId() const { return absl::StrCat(entry->name, "|", id); }
};

class RunItems {
 public:
  // `file` outlives this.
  RunItems(const ConfigFile& file, Selection selection)
      : file_(file), selection_(std::move(selection)), running_(selection_.resume.empty()) {}

  std::optional<RunItem> Next();

  // To be called after the last item: NotFound if an id of the selection does not exist.
  absl::Status Missed() const;

 private:
  std::optional<RunItem> NextOfAll();
  std::optional<RunItem> BeginConfig();
  std::optional<RunItem> OpenInputs();
  RunItem ItemOf(NextConfig next) const;
  Elements ElementsOf(const std::vector<Span>& spans) const;
  RunItem Item(const std::string& build_id, const std::string& input_id) const;
  RunItem ProblemItem(const std::string& build_id, const std::string& input_id,
                      absl::Status problem) const;

  const ConfigFile& file_;
  const Selection selection_;
  bool running_;
  bool stopped_ = false;
  size_t operator_ = 0;
  size_t config_ = 0;
  std::unique_ptr<ConfigIterator> builds_, inputs_;
  bool config_open_ = false;
  bool no_input_yet_ = false;  // inputs_ has given none
  std::optional<Json> build_;
  std::string build_id_;
};

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_RUN_ITEMS_H_

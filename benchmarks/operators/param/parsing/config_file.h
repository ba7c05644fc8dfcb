#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_CONFIG_FILE_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_CONFIG_FILE_H_

// ---------------------------------------------------------------------------------------------
// config_file.h: reads a file of operator configurations, of any size, as facebookresearch/param's
// training compute benchmark does (train/compute/python/lib/config.py).
//
// One pass over the file finds the place of each configuration; a configuration is parsed when it
// is needed. So a file of any size takes 16 MiB of its pages in memory, and 16 bytes for each
// configuration.
//
//   {"torch.mm": {"input_iterator": ..., "input_data_generator": ...,
//                 "config": [{"build": [{"args": [], "kwargs": {}}], "input": [...]}]}}
//
// It also reads the file that PARAM hands to its child under a profiler (run_batch): one operator,
// as {"op_name", "config_build_id", "op_info": {...}, "run_options"}.
//
// Not for: what a configuration means (config_iterator.h, arguments.h).
//
// Example:
//   absl::StatusOr<std::unique_ptr<ConfigFile>> file = ConfigFile::Open("simple_mm.json");
//   for (const OperatorEntry& entry : (*file)->operators()) ...
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"

namespace assay::param {

// Keys stay in the order of the file, which is the order of PARAM's products of ranges.
using Json = nlohmann::ordered_json;

// The bytes of one element in the file; an empty span is an element that is no object.
struct Span {
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct ConfigEntry {
  // Absent, or the elements of the list.
  std::optional<std::vector<Span>> build = {}, input = {};
};

struct OperatorEntry {
  std::string name = {};
  // Empty where the file has null or nothing.
  std::string build_iterator = {}, input_iterator = {};
  std::string build_data_generator = {}, input_data_generator = {};
  std::vector<ConfigEntry> configs = {};
  // For run_batch: the part of an id before the inputs' own ids. The build is then an object, not a
  // list.
  std::optional<std::string> config_build_id = {};
  std::string problem = {};  // not empty: what is malformed, and where
};

// Whether a key holds words for readers: "comment", "note", "description", or a name that begins with
// one "_". A file may have them in every object.
bool IsComment(std::string_view key);

// The message about a key that an object can't have.
std::string UnknownKey(std::string_view key, absl::Span<const std::string> known);

class ConfigFile {
 public:
  // NotFound where there is no such file; InvalidArgument, with line and column, for what is not
  // JSON, holds no operators, is an execution trace, or has a key of the file's object or of "run_options" twice.
  static absl::StatusOr<std::unique_ptr<ConfigFile>> Open(const std::string& path);

  // Parses text in memory, which outlives the result; `name` is used in messages.
  static absl::StatusOr<std::unique_ptr<ConfigFile>> Parse(std::string name, std::string_view text);

  const std::vector<OperatorEntry>& operators() const { return operators_; }

  // The value of "run_options" (run_options.h), null where there is none. InvalidArgument, with line
  // and column, where it is no object.
  absl::StatusOr<Json> ReadOptions() const;

  // InvalidArgument, with line and column, for an element that is no object.
  absl::StatusOr<Json> Read(const Span& span) const;

  // "simple_mm.json:12:7".
  std::string Place(uint64_t byte) const;

 private:
  friend class Indexer;

  ConfigFile(std::string name, std::string_view text,
             std::shared_ptr<const tensor_files::MappedFile> file)
      : name_(std::move(name)), file_(std::move(file)), text_(text) {}

  static absl::StatusOr<std::unique_ptr<ConfigFile>> Indexed(std::unique_ptr<ConfigFile> file);

  absl::Status Index();
  // Tells the kernel that pages far before `byte` are no longer needed.
  void Passed(uint64_t byte) const;

  const std::string name_;
  const std::shared_ptr<const tensor_files::MappedFile> file_;  // null: text in memory
  const std::string_view text_;
  std::vector<OperatorEntry> operators_;
  std::optional<Span> run_options_;
  mutable uint64_t released_ = 0;  // before this byte
};

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_CONFIG_FILE_H_

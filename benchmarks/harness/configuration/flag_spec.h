#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_SPEC_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_SPEC_H_

// ---------------------------------------------------------------------------------------------
// flag_spec.h: what a row of the table of flags (case_flags.h) says, and how values are read.
//
// Not for: reading a command line (base/flags.h).
//
// Example:
//   const FlagSpec batch = {.name = "batch", .value = "N", .read = WholeNumber(1, 1024)};
//   absl::StatusOr<std::string> value = batch.read("08");   // "8"
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "defs/proto/suite.pb.h"

namespace assay::configuration {

// Brings a value into its only spelling, so that equal values are equal texts. InvalidArgument says
// what is allowed.
using Reader = std::function<absl::StatusOr<std::string>(const std::string&)>;

// Values of flags by name, each in its only spelling.
using FlagValues = std::map<std::string, std::string>;

enum class FlagUse {
  kCall,     // how a case is called; part of its configuration
  kTiming,   // how it is timed; part of its configuration
  kLook,     // what is looked at: modes, steps, the comparison. A suite may vary it as well
  kRun,      // of one run: files, a time limit
  kProgram,  // set by scripts and programs; --help does not list it
};

// Flags beside which a flag cannot stand, as patterns of base/flag_rules.h.
struct Exclusion {
  std::vector<std::string> with = {};
  std::string why = "";    // what follows "--flag: " in the message; "$" becomes the other flag
  std::string value = "";  // only where the flag has this value; "": any
};

struct FlagSpec {
  std::string name;  // "memory-format"
  std::string value =
      "";  // as --help shows it: "F", "[DIR]" where it may be left out; "": a switch
  FlagUse use = FlagUse::kRun;
  std::string text = "";  // what --help says; a line break stays one
  Reader read = nullptr;
  std::string fallback = "";  // the value without the flag; "": none, or the case's
  // A value other than the fallback that any case takes, or a training case; for tests.
  std::string example = "";
  // Only for kCall: the value that a called case has.
  std::function<std::string(const BenchmarkCase&)> of_case = nullptr;
  // Whether a case called without the flag has the value of `of_case`, or the fallback; false: that
  // depends on other flags or on the build.
  bool default_is_known = true;
  // Only for kCall: enters the value for WithCallFlags().
  std::function<void(const std::string& value, CallFlags&)> enter = nullptr;
  std::vector<Exclusion> excludes = {};
  std::vector<std::string> needs = {};  // one of these flags, or "flag=value", must stand beside it

  bool is_switch() const { return value.empty() || value[0] == '['; }
  bool in_plan() const { return use <= FlagUse::kLook; }
  bool in_configuration() const { return use <= FlagUse::kTiming; }
};

Reader OneOf(std::vector<std::string> choices);
Reader WholeNumber(int64_t low, int64_t high);
// A finite number above 0, or 0 where `zero`; `allowed` is the message.
Reader RealNumber(bool zero, std::string allowed);
Reader AnyText();
Reader OnOrOff();  // a switch's: "true" or "false"
// Words with commas between them; `check` is called with each.
Reader ListOf(std::function<absl::Status(std::string_view word)> check);

// A value that a reader has accepted, as a number.
int64_t ToWholeNumber(std::string_view value);
double ToRealNumber(std::string_view value);

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_SPEC_H_

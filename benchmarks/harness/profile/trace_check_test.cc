#include "benchmarks/harness/profile/trace_check.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::profile {
namespace {

using ::testing::HasSubstr;

// As Kineto writes them.
constexpr char kRange[] =
    R"({"ph":"X","cat":"user_annotation","name":"c/forward","pid":7,"tid":7,"ts":100.000,"dur":50.0})";
constexpr char kOperator[] =
    R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":7,"ts":110.5,"dur":9.0})";
constexpr char kProcess[] = R"({"ph":"M","name":"process_name","pid":7,"tid":0,"args":{}})";
constexpr char kArrow[] = R"({"ph":"s","id":1,"pid":7,"tid":7,"ts":1,"cat":"ac2g","name":"x"})";

std::string Trace(std::initializer_list<std::string_view> events) {
  std::string joined;
  for (const std::string_view event : events)
    absl::StrAppend(&joined, joined.empty() ? "" : ",", event);
  return absl::StrCat(R"({"schemaVersion":1,"traceEvents":[)", joined, "]}");
}

std::string Fault(const std::string& trace) {
  return std::string(CheckTrace(trace, {"c/forward"}).message());
}

TEST(TraceCheck, TakesAWholeTrace) {
  EXPECT_EQ(Fault(Trace({kProcess, kRange, kOperator, kArrow})), "");
}

TEST(TraceCheck, RefusesWhatIsCutOff) {
  const std::string whole = Trace({kRange, kOperator});
  EXPECT_THAT(Fault(whole.substr(0, whole.size() - 1)), HasSubstr("cut off"));
  EXPECT_THAT(Fault(""), HasSubstr("no JSON"));
  EXPECT_THAT(Fault("{}"), HasSubstr("traceEvents"));
}

TEST(TraceCheck, NamesTheEventThatLacksSomething) {
  for (const char* key : {"ph", "pid", "tid", "ts", "dur", "name"}) {
    const std::string without =
        absl::StrReplaceAll(kOperator, {{absl::StrCat("\"", key, "\""), "\"other\""}});
    EXPECT_THAT(Fault(Trace({kRange, without})), HasSubstr("traceEvents[1]")) << key;
  }
  const std::string negative = absl::StrReplaceAll(kOperator, {{"9.0", "-9.0"}});
  EXPECT_THAT(Fault(Trace({kRange, negative})), HasSubstr("dur"));
}

TEST(TraceCheck, MissesARange) {
  EXPECT_THAT(Fault(Trace({kOperator})), HasSubstr("no range \"c/forward\""));
}

TEST(TraceCheck, MissesWhatARangeShouldContain) {
  const std::string later = absl::StrReplaceAll(kOperator, {{"110.5", "170.5"}});
  EXPECT_THAT(Fault(Trace({kRange, later})), HasSubstr("contains nothing"));
}

TEST(TraceCheck, RefusesSpansThatOverlapHalfway) {
  const std::string half = absl::StrReplaceAll(kOperator, {{"110.5", "145.0"}});
  EXPECT_THAT(Fault(Trace({kRange, kOperator, half})), HasSubstr("ends after \"c/forward\""));
  const std::string elsewhere = absl::StrReplaceAll(half, {{"\"tid\":7", "\"tid\":8"}});
  EXPECT_EQ(Fault(Trace({kRange, kOperator, elsewhere})), "");
}

}  // namespace
}  // namespace assay::profile

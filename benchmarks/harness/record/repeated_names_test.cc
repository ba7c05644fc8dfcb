#include "benchmarks/harness/record/repeated_names.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::record {
namespace {

using ::testing::HasSubstr;

TEST(RepeatedNames, ANameMayStandOnceInEachObject) {
  for (const char* good : {R"({})", R"([])", R"({"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]})",
                           R"({"a":"\"a\":","b":"{\"a\":1,\"a\":2}","A":null,"":true})"}) {
    EXPECT_TRUE(CheckNamesOnce(good).ok()) << good << CheckNamesOnce(good);
  }
}

TEST(RepeatedNames, ANameThatStandsTwiceIsRefusedHoweverItIsWritten) {
  for (const char* bad :
       {R"({"a":1,"a":1})", R"({"a":{},"b":2,"a":[]})", R"([{"b":{"a":1,"a":2}}])",
        R"({"a":1 , "a" :2})", R"({"a":1,"\u0061":2})", R"({"":1,"":2})",
        R"({"a":[{"b":1}],"c":{"a":1},"a":3})"}) {
    EXPECT_EQ(CheckNamesOnce(bad).code(), absl::StatusCode::kInvalidArgument) << bad;
  }
  EXPECT_THAT(std::string(CheckNamesOnce(R"({"outcome":1,"outcome":2})").message()),
              HasSubstr("the name \"outcome\" stands twice"));
}

TEST(RepeatedNames, WhatIsNoJsonIsRefused) {
  for (const char* bad : {"", "{", "{\"a\":}", "{'a':1}", "{\"a\":1}}"}) {
    EXPECT_EQ(CheckNamesOnce(bad).code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace assay::record

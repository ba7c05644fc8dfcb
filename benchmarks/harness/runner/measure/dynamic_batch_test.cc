#include "benchmarks/harness/runner/measure/dynamic_batch.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseBatches, KeepsTheirOrder) {
  EXPECT_THAT(*ParseBatches("8,1,4"), ElementsAre(8, 1, 4));
  EXPECT_THAT(*ParseBatches("3"), ElementsAre(3));
}

TEST(ParseBatches, SaysWhatIsNoBatch) {
  for (const char* text : {"", "0", "1,-2", "1,two", "1,,2", "1,2,", "1.5", "1048577"}) {
    const auto parsed = ParseBatches(text);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(parsed.status().message(), HasSubstr("is no number of rows from 1 to 1048576"));
  }
  EXPECT_EQ(ParseBatches("1,2,1").status().message(),
            "--dynamic-batch=1,2,1: 1 is there twice; each batch is one record");
}

TEST(WithBatch, PutsOneBatchInPlaceOfTheList) {
  EXPECT_THAT(WithBatch({"--modes=wall", "--dynamic-batch=1,2", "--verify=off"}, 2),
              ElementsAre("--modes=wall", "--batch=2", "--verify=off"));
  EXPECT_THAT(WithBatch({"--dynamic_batch", "1,2", "--threads=1"}, 1),
              ElementsAre("--batch=1", "--threads=1"));
}

}  // namespace
}  // namespace assay::runner

#include "benchmarks/harness/runner/vary/sized_case.h"

#include "benchmarks/harness/runner/vary/scaled_places.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<ResolvedCase> Sized(const ResolvedCase& c, const std::string& mix) {
  return SizedCase(c, ParseMix(mix, 0)->sizes[0]);
}

TEST(SizeNames, AreTheParametersOfShapesAndTheBatch) {
  EXPECT_THAT(SizeNames(ScaledPlacesCase()), ElementsAre("tokens", "learned", "batch"));
}

TEST(SizedCase, IsTheCaseAtAnotherSize) {
  const auto sized = Sized(ScaledPlacesCase(), "tokens=7,8;batch=3");
  ASSERT_TRUE(sized.ok()) << sized.status();
  EXPECT_EQ(sized->benchmark_case().batch(), 3);
  EXPECT_EQ(sized->benchmark_case().parameters().at("tokens").integer(), 7);
  for (const Workload* workload : {&sized->measured(), &sized->verified(), &sized->referenced()}) {
    EXPECT_EQ(workload->batch(), 3);
    EXPECT_THAT(workload->inputs(0).shape(), ElementsAre(3, 7));
    EXPECT_THAT(workload->outputs(0).shape(), ElementsAre(3, 7));
  }
  EXPECT_EQ(sized->benchmark_case().name(), "scaled_places_fp32_b2");
  EXPECT_EQ(sized->steps_size(), ScaledPlacesCase().steps_size());
}

TEST(SizedCase, SaysWhatIsNoSize) {
  const ResolvedCase c = ScaledPlacesCase();
  const auto problem = [&](const std::string& mix) {
    return std::string(Sized(c, mix).status().message());
  };
  EXPECT_EQ(problem("image_size=7,8"),
            "--vary: no input's shape of this case depends on 'image_size'; there is tokens, "
            "learned, batch");
  EXPECT_THAT(problem("places=7,8"), HasSubstr("depends on 'places'"));
  EXPECT_THAT(problem("tokens=101,8"),
              HasSubstr("--vary: tokens=101: parameter 'tokens' is out of range; 1 to 100"));
  EXPECT_EQ(problem("tokens=13,8"),
            "--vary: tokens=13 needs 13 rows of a table that has 12 (places); leave this size out");
  EXPECT_TRUE(Sized(c, "tokens=12,8").ok());
  EXPECT_THAT(problem("batch=2000000,8"), HasSubstr("--vary: batch=2000000: "));
}

TEST(SizedCase, RefusesCasesThatDoMoreThanAForwardPass) {
  ResolvedCase c = ScaledPlacesCase();
  c.mutable_benchmark_case()->set_mode(GENERATE);
  EXPECT_EQ(Sized(c, "tokens=7,8").status().message(),
            "--vary: a forward pass can vary, and this case is of kind generate; take the eval "
            "case of its model");
  c.mutable_benchmark_case()->set_mode(TRAIN);
  EXPECT_THAT(Sized(c, "tokens=7,8").status().message(), HasSubstr("of kind train"));
}

}  // namespace
}  // namespace assay::runner

#include "tools/suite/launch/secrets.h"

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

TEST(Secrets, AreTakenOutOfText) {
  const Secrets secrets(
      {"A_TOKEN=123456", "B_TOKEN=1234567890", "C_KEY=short", "HOME=/home/me", "NOTHING"});
  EXPECT_EQ(secrets.Removed("1234567890 123456 short /home/me"), "*** *** short /home/me");
}

TEST(Secrets, GoWhereTheirNameSaysWhatTheyAre) {
  const Secrets secrets({"A_TOKEN=123456"});
  EXPECT_EQ(secrets.Removed("run --api-key abc --pass=x\nC_KEY=1 --n 3  123456\n"),
            "run --api-key *** --pass=***\nC_KEY=*** --n 3  ***\n");
  EXPECT_EQ(secrets.Removed("--token --n=1"), "--token --n=1");
  const std::vector<std::string> words = {"--api-key", "a b",       "GH_PAT=x y",
                                          "--n",       "is 123456", "--token"};
  EXPECT_EQ(secrets.Removed(words), std::vector<std::string>({"--api-key", "***", "GH_PAT=***",
                                                              "--n", "is ***", "--token"}));
}

TEST(Secrets, OfThisProcessAreKnown) {
  setenv("A_TEST_TOKEN", "tell nobody", 1);
  EXPECT_EQ(KnownSecrets({"B_TOKEN=nor this"}).Removed("<tell nobody nor this>"), "<*** ***>");
}

}  // namespace
}  // namespace assay::suite

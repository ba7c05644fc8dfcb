#include "tools/suite/launch/secrets.h"

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

TEST(Secrets, AreKnownByTheNamesOfTheirVariables) {
  for (const char* name : {"HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "db_password", "PGPASSWD",
                           "GOOGLE_APPLICATION_CREDENTIALS"}) {
    EXPECT_TRUE(IsSecretName(name)) << name;
  }
  for (const char* name : {"OMP_NUM_THREADS", "PATH", "CUDA_VISIBLE_DEVICES"}) {
    EXPECT_FALSE(IsSecretName(name)) << name;
  }
}

TEST(Secrets, AreTakenOutOfText) {
  const Secrets secrets(
      {"A_TOKEN=123456", "B_TOKEN=1234567890", "C_KEY=short", "HOME=/home/me", "NOTHING"});
  EXPECT_EQ(secrets.Removed("1234567890 123456 short /home/me"), "*** *** short /home/me");
}

TEST(Secrets, OfThisProcessAreKnown) {
  setenv("A_TEST_TOKEN", "tell nobody", 1);
  EXPECT_EQ(KnownSecrets({"B_TOKEN=nor this"}).Removed("<tell nobody nor this>"), "<*** ***>");
}

}  // namespace
}  // namespace assay::suite

#include "benchmarks/harness/environment/secret_names.h"

#include "gtest/gtest.h"

namespace assay::environment {
namespace {

TEST(SecretNames, AreThoseOfVariablesFlagsAndFields) {
  for (const char* name : {"HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "db_password", "PGPASSWD",
                           "GOOGLE_APPLICATION_CREDENTIALS", "COOKIE", "DB_PASS", "MYSQL_PWD",
                           "GH_PAT", "AUTH", "api-key", "AccountKey"}) {
    EXPECT_TRUE(IsSecretName(name)) << name;
  }
  for (const char* name : {"OMP_NUM_THREADS", "PATH", "CUDA_VISIBLE_DEVICES", "PWD", "MONKEY",
                           "TOKENIZERS_PARALLELISM", "pass_type", "ASSAY_TOKEN_FILE"}) {
    EXPECT_FALSE(IsSecretName(name)) << name;
  }
}

}  // namespace
}  // namespace assay::environment

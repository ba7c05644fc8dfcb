#include "benchmarks/backends/foreign_library.h"

#include <c10/util/Exception.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::backends {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(ForeignLibrary, FindsWhatItExports) {
  const auto library = ForeignLibrary::Open("the C library's mathematics", "libm.so.6");
  ASSERT_TRUE(library.ok()) << library.status();
  EXPECT_EQ(reinterpret_cast<double (*)(double)>(library->Find("sqrt"))(9.0), 3.0);
  EXPECT_THAT([&] { library->Find("square_root"); },
              ThrowsMessage<c10::Error>(HasSubstr("mathematics's library has no square_root")));
}

TEST(ForeignLibrary, NamesTheOneThatIsNotThere) {
  const absl::Status opened = ForeignLibrary::Open("Nothing", "libnothing.so.0").status();
  EXPECT_TRUE(absl::IsUnavailable(opened));
  EXPECT_THAT(opened.message(), HasSubstr("Nothing's library cannot be opened: libnothing.so.0"));
}

TEST(ElementTypes, GoBothWaysAndNameWhatIsMissing) {
  const ElementTypes types("Runtime", {{1, at::kFloat}, {7, at::kLong}}, {"nothing", "float"});
  EXPECT_EQ(types.ScalarTypeOf(7, "input x"), at::kLong);
  EXPECT_EQ(types.NumberOf(at::kFloat), 1);
  EXPECT_THAT([&] { types.ScalarTypeOf(0, "input x"); },
              ThrowsMessage<c10::Error>(HasSubstr("input x holds nothing, which cannot be given")));
  EXPECT_THAT([&] { types.ScalarTypeOf(8, "input x"); },
              ThrowsMessage<c10::Error>(HasSubstr("input x holds Runtime's type 8")));
  EXPECT_THAT([&] { types.NumberOf(at::kBFloat16); },
              ThrowsMessage<c10::Error>(HasSubstr("Runtime takes no inputs of BFloat16")));
}

}  // namespace
}  // namespace assay::backends

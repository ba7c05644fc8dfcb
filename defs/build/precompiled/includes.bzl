"""Headers that many files include, and their libraries: other people's headers alone, so that a change of this tree makes none of them anew."""

INCLUDES = [
    "algorithm",
    "array",
    "cmath",
    "cstdint",
    "filesystem",
    "fstream",
    "functional",
    "map",
    "memory",
    "optional",
    "set",
    "sstream",
    "string",
    "utility",
    "variant",
    "vector",
    "absl/algorithm/container.h",
    "absl/functional/function_ref.h",
    "absl/status/status.h",
    "absl/status/statusor.h",
    "absl/strings/match.h",
    "absl/strings/numbers.h",
    "absl/strings/str_cat.h",
    "absl/strings/str_format.h",
    "absl/strings/str_join.h",
    "absl/strings/str_replace.h",
    "absl/strings/str_split.h",
    "absl/time/time.h",
    "absl/types/span.h",
    "google/protobuf/extension_set.h",
    "google/protobuf/generated_message_reflection.h",
    "google/protobuf/generated_message_util.h",
    "google/protobuf/map.h",
    "google/protobuf/message.h",
    "google/protobuf/text_format.h",
    "google/protobuf/unknown_field_set.h",
]

TEST_INCLUDES = INCLUDES + [
    "gmock/gmock.h",
    "gtest/gtest.h",
]

DEPS = [
    "@com_google_absl//absl/algorithm:container",
    "@com_google_absl//absl/functional:function_ref",
    "@com_google_absl//absl/status",
    "@com_google_absl//absl/status:statusor",
    "@com_google_absl//absl/strings",
    "@com_google_absl//absl/strings:str_format",
    "@com_google_absl//absl/time",
    "@com_google_absl//absl/types:span",
    "@com_google_protobuf//:protobuf",
]

TEST_DEPS = DEPS + ["@com_google_googletest//:gtest"]

# As tools/common.bazelrc has it for tests.
TEST_COPTS = [
    "-O0",
    "-U_FORTIFY_SOURCE",
]

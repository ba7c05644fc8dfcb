"""cc_proto(): the C++ of a .proto file, made by the protoc that matches the library of @com_google_protobuf.

It does not use proto_library() and cc_proto_library(): Bazel 8 and 9 have them only from the protobuf module, which
brings a protoc and a library of its own, in another version and on another Abseil. Example:

    cc_proto(
        name = "record_cc_proto",
        src = "record.proto",
        deps = [":suite_cc_proto"],
        imports = ["suite.proto"],
    )
"""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("//defs/build/precompiled:precompiled_header.bzl", "COMMON_HEADERS")

# protoc 3.12 (Ubuntu 22.04) calls optional fields an experiment; later ones accept the flag.
_FLAGS = "--experimental_allow_proto3_optional"

def cc_proto(name, src, deps = [], imports = []):
    """Makes a cc_library of <src>.pb.h and <src>.pb.cc.

    Args:
      name: of the library.
      src: the .proto file.
      deps: the libraries of the files that it imports.
      imports: these files themselves, and what they import.
    """
    base = src[:-len(".proto")]
    native.genrule(
        name = base + "_protoc",
        srcs = [src] + imports,
        outs = [base + ".pb.cc", base + ".pb.h"],
        cmd = "$(execpath @com_google_protobuf//:bin/protoc) %s --proto_path=. --cpp_out=$(BINDIR) $(execpath %s)" % (_FLAGS, src),
        tools = ["@com_google_protobuf//:bin/protoc"],
        visibility = ["//visibility:private"],
    )
    cc_library(
        name = name,
        srcs = [base + ".pb.cc"],
        hdrs = [base + ".pb.h"],
        copts = COMMON_HEADERS.copts,
        linkstatic = True,
        deps = ["@com_google_protobuf//:protobuf"] + deps + COMMON_HEADERS.deps,
    )

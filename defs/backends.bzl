"""The back ends of this tree beside eager: pure data.

A row brings a back end's name to every place that lists them: what `--backend=` may be linked with (benchmarks/backends), `--help`,
docs/data/flags.md, the numbers of README.md, the plans of //tools:run_suite, and the kinds of files that //tools:run_model runs. A new
one is a row here, and in benchmarks/backends its file and its target; docs/backends.md says what it takes. A package that it
needs beside is a row of WHEEL_LIBRARIES in tools/deps/versions.bzl.

    name        also the target in benchmarks/backends
    says        what --help adds to the name
    container   what its files look like: "script", "graph" or "library" (zip files with that in them), or "onnx"
    files       what a person calls such a file
    may_do      what running a file may do besides computing
    native      it holds machine code, which is loaded into the process

Example:

    load("//defs:backends.bzl", "BACKENDS", "backend_rows")
"""

TORCHSCRIPT = "torchscript"  # each that runs another kind of file traces it by this one, and links it

BACKENDS = [
    struct(
        name = TORCHSCRIPT,
        says = "forward alone; --torchscript-freeze folds constants",
        container = "script",
        files = "TorchScript",
        may_do = "code of its own is interpreted, whose operators can open files",
        native = False,
    ),
    struct(
        name = "aoti",
        says = "",
        container = "library",
        files = "a package of AOTInductor",
        may_do = "a library is loaded into this process, which can do whatever you can",
        native = True,
    ),
    struct(
        name = "exported",
        says = "",
        container = "graph",
        files = "an archive of torch.export",
        may_do = "operators of LibTorch are called, no code of its own",
        native = False,
    ),
    struct(
        name = "onnxruntime",
        says = "",
        container = "onnx",
        files = "ONNX",
        may_do = "kernels of ONNX Runtime are called, no code of its own",
        native = False,
    ),
    struct(
        name = "openvino",
        says = "",
        container = "onnx",
        files = "ONNX",
        may_do = "kernels of OpenVINO are called, no code of its own",
        native = False,
    ),
]

def backend_rows():
    """The rows of kBackendTable (execution_names.h) in C++."""
    return "\n".join([
        "{.name = \"%s\", .says = \"%s\", .container = \"%s\", .files = \"%s\", .may_do = \"%s\", .native = %s}," % (
            row.name,
            row.says,
            row.container,
            row.files,
            row.may_do,
            "true" if row.native else "false",
        )
        for row in BACKENDS
    ])

"""Every outside repository but those of Bazel itself (bazel_parts.bzl) and the blobs: for WORKSPACE and MODULE.bazel alike."""

load(":archives.bzl", "source_archives")
load(":buildgrid_wheels.bzl", "BUILDGRID_WHEELS")
load(":cross_compiler.bzl", "cross_compiler")
load(":cuda.bzl", "cuda_wheels", "local_cuda")
load(":families.bzl", "families")
load(":fuzz_wheels.bzl", "FUZZ_WHEELS")
load(":gcs_wheels.bzl", "GCS_WHEELS")
load(":libtorch.bzl", "libtorch")
load(":lint_programs.bzl", "lint_programs")
load(":mutate_wheels.bzl", "MUTATE_WHEELS")
load(":nvbench_wheels.bzl", "NVBENCH_PYTHON", "NVBENCH_WHEELS")
load(":onnx_wheels.bzl", "ONNX_WHEELS")
load(":oracle_python.bzl", "oracle_python")
load(":python_site.bzl", "python_site")
load(":results_wheels.bzl", "RESULTS_WHEELS")
load(":source_package.bzl", "source_package")
load(":stablehlo_python.bzl", "stablehlo_python")
load(":system.bzl", "system_libraries", "system_protobuf")
load(":versions.bzl", "SOURCE_PACKAGES", "WHEEL_LIBRARIES")
load(":wheel_files.bzl", "wheel_files")
load(":wheel_library.bzl", "wheel_library")
load(":workflows_wheels.bzl", "WORKFLOWS_WHEELS")

def dependencies():
    """Defines the repositories; none is fetched by that. MODULE.bazel lists the names anew: Bazel wants them there."""
    source_archives()
    system_protobuf(name = "com_google_protobuf")
    system_libraries(name = "system")
    cross_compiler(name = "aarch64", machine = "aarch64", debian = "arm64")
    libtorch(name = "libtorch")
    libtorch(name = "libtorch_cuda", cuda = True)
    local_cuda(name = "local_cuda")
    cuda_wheels(name = "cuda_wheels")
    families(name = "assay_families")
    oracle_python(name = "oracle_python")
    python_site(name = "buildgrid_python", imports = ["buildgrid.server.app.cli", "psycopg2"], wheels = BUILDGRID_WHEELS)
    python_site(name = "gcs_python", imports = ["google.cloud.storage"], wheels = GCS_WHEELS)
    python_site(name = "fuzz_python", imports = ["atheris"], wheels = FUZZ_WHEELS)
    python_site(name = "mutate_python", imports = ["tree_sitter", "tree_sitter_cpp"], wheels = MUTATE_WHEELS)
    # Importing more of matplotlib would write a list of fonts into the user's cache.
    python_site(name = "results_python", imports = ["contourpy", "kiwisolver", "matplotlib", "msgspec", "orjson", "pandas", "plotext", "pyarrow.parquet"], wheels = RESULTS_WHEELS)
    python_site(name = "workflows_python", imports = ["check_jsonschema"], wheels = WORKFLOWS_WHEELS)

    # It imports only packages that need no other site: //tools/export:export_onnx imports the rest.
    python_site(name = "onnx_python", imports = ["google.protobuf"], wheels = ONNX_WHEELS)
    stablehlo_python(name = "stablehlo_python")
    wheel_files(name = "cuda_bench", python = NVBENCH_PYTHON, wheels = NVBENCH_WHEELS)
    for name, arguments in WHEEL_LIBRARIES.items():
        wheel_library(name = name, **arguments)
    for name, arguments in SOURCE_PACKAGES.items():
        source_package(name = name, **arguments)
    lint_programs()

"""Packages that torch.onnx.export imports besides those of @oracle_python: @onnx_python, 11 MB, for //tools/export:export_onnx alone.

Its site is put behind the oracles' one, whose numpy, packaging and typing-extensions it uses; so it is for the same versions
of CPython. To upgrade: edit, then `tools/bazel build @onnx_python//:python`; a wrong digest is refused with the right one shown.
"""

# A table of wheels (wheels.bzl).
ONNX_WHEELS = {
    "ml-dtypes": ("0.6.0", {
        "3.11": "6c8e39b53e90afda8ce52859c93de4dba3e02b76d85dcf091cc469f9184c6dae",
        "3.12": "3b4a480aa8fd54a1805b8ac10f3f91763926a74f73c0c364c10f9231854f4170",
        "3.13": "26b1f1fa4f0435a2946859823f6e2bf06796f1e9f10f5a05b08a5e3c8f46ff69",
        "3.14": "8f490c003369ce60e514a0c3b12374f05274c101fee1bead6740ec8a564032b0",
    }),
    "onnx": ("1.23.2", {
        "3.11": "c03ecf6b835d136108eeaeeafbd0026fc7b3cf98661409fbc6b63d5a29361348",
        "3.12": "7abf381d278f31ac62487fddedc9dd42da842dce94d5d43536836ee3efdf4a2b",
        "3.13": "7abf381d278f31ac62487fddedc9dd42da842dce94d5d43536836ee3efdf4a2b",
        "3.14": "7abf381d278f31ac62487fddedc9dd42da842dce94d5d43536836ee3efdf4a2b",
    }),
    "onnx-ir": ("1.1.0", "76cc313a788c073b75271c1b6abb172aaf90fcc6335ed40f9f3238b2064a2fa3"),
    "onnxscript": ("0.7.2", "d0e7121c6a1eefd608058928e111cbdb76709f70d269ff0d07aee493bd1d13c9"),
    "protobuf": ("7.36.2", "89f23aa53c24553a2416fd4fd1ec06f74fa42b14b546d8883128813f775bbfd2"),
}

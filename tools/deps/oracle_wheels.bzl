"""Python packages that compute reference outputs (torchvision, transformers) and what they import.

Wheels for Python 3.11 on x86-64 Linux; torch and NVIDIA's two come from versions.bzl, so that the oracles run the same
torch as the C++ side. To add a package: its line here, then `tools/bazel build @oracle_python//:python`; a wrong
digest is refused with the right one shown. Requirements that a wheel declares but no model class imports (typer,
hf-xet, click) are left out on purpose, which is why nothing is resolved: this list is the whole site.
"""

load(":versions.bzl", "LIBTORCH_WHEELS")

# name -> (version, sha256 of the wheel)
_PACKAGES = {
    # torchvision and what it imports
    "numpy": ("2.4.6", "89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93"),
    "pillow": ("13.0.0", "a625df9a2a5597fa5e5266e01aefc82604bb85d291e3547981e863560d75da6c"),
    "torchvision": ("0.26.0", "fd10b5f994c210f4f6d6761cf686f82d748554adf486cb0979770c3252868c8f"),
    # transformers and what it imports
    "h11": ("0.16.0", "63cf8bbe7522de3bf65932fda1d9c2772064ffb3dae62d55932da54b31cb6c86"),
    "httpcore2": ("2.16.2", "16051ae2a42f776007543f32de9349a317b23d2cbb4e1456b4bac0e88b87419a"),
    "httpx2": ("2.16.2", "f05c13aade4c45dbf1c9060647a1058f0acad62398fad96e741269edb33d46f5"),
    "huggingface-hub": ("2.4.0", "42ecfd93ede47bdd333daebbf66a32d7bfe2e18752754fe4d2d4f98a0179d801"),
    "idna": ("3.20", "ab7ae7122974553370f0bdb919e1a960b2cd1bc1ef0276416d896db81c14582c"),
    "packaging": ("26.3", "d7193f7c8e4e93f444fde0262bf90af30e16fa0ad0ad44cb553c87339b23cd1c"),
    "pyyaml": ("6.0.3", "b8bb0864c5a28024fac8a632c443c87c5aa6f215c0b126c449ae1a150412f31d"),
    "regex": ("2026.11.15", "aafeb64c8569d69edfbf772feba49d2a001d3dca0f43e6a71e3735587ecb8222"),
    "safetensors": ("0.8.0", "fd6f3f93c9a0a7cc2788ee63fb763353d4bd2e89b0751bc78fcf7dda00bea774"),
    "tokenizers": ("0.23.3", "376851d22bcf9d650a5c3090bb83e6cf9e895fbf0595369fa4cd43c1f69b5f87"),
    "tqdm": ("4.70.1", "c293e525e6fef9c20e8728fd4612df02a0aa31bb5fe91ecd93e123b1b7bffa73"),
    "transformers": ("5.23.0", "018e82fd07490ad5bb58414f65e31576033dc7f36bed10c574843f69b90991bf"),
    "truststore": ("0.10.5", "9aaaedaefaf06d8b206278cf8b5012bc897f485a874503501e12d776df78951c"),
    # the statistics' goldens
    "scipy": ("1.17.1", "43af8d1f3bea642559019edfe64e9b11192a8978efbd1539d7bc2aaa23d92de4"),
    # what torch imports
    "filelock": ("4.2.11", "020e229e4bb9d410fc799c07ddf45fa217cba970278f40b30751d94f309b69e2"),
    "fsspec": ("2026.9.0", "8dd6e646e99ea382bd85f97a45e6b526a442d79423a7dc673f1e2756d05fcb5f"),
    "jinja2": ("3.1.6", "85ece4451f492d0c13c5dd7c13a64681a86afae63a5f347908daf103ce6d2f67"),
    "markupsafe": ("3.0.4", "6da83a088f8ef93b2d483a8232a4dbf4d69d3d8496b568a03c56becac43e1808"),
    "mpmath": ("1.4.1", "dc4f0ea2304480d4a9a48a94c1020571558ade522b44a6912efac63a586e140f"),
    "networkx": ("3.6.1", "d47fbf302e7d9cbbb9e2555a0d267983d2aa476bac30e90dfbe5669bd57f3762"),
    "setuptools": ("84.2.1", "ca140b45d5325a9478f880e351484f62fef15f336462e449ca0c03c873d589c2"),
    "sympy": ("1.14.0", "e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5"),
    "typing-extensions": ("4.16.0", "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8"),
}

# LIBTORCH_WHEELS second: should both name a package, the C++ side's version wins.
ORACLE_WHEELS = dict(_PACKAGES.items() + LIBTORCH_WHEELS.items())

"""Python packages that compute reference outputs (torchvision, torchaudio, timm, transformers, diffusers, torch_geometric) and what they import.

Wheels for CPython 3.11 to 3.14 on x86-64 Linux (some packages have none for 3.10); torch and NVIDIA's two come from versions.bzl, so that the oracles run the same
torch as the C++ side. To add a package: its line here, then `tools/bazel build @oracle_python//:python`; a wrong
digest is refused with the right one shown. Requirements that a wheel declares but no model class imports (typer,
hf-xet, click) are left out on purpose, which is why nothing is resolved: this list is the whole site.
"""

load(":versions.bzl", "LIBTORCH_WHEELS")

# A table of wheels (wheels.bzl).
_PACKAGES = {
    # torchvision and what it imports
    "numpy": ("2.4.6", {
        "3.11": "89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93",
        "3.12": "90f9849678c75fe7afa2d348ac842c168b0a4d3d61919687216dfc547976d853",
        "3.13": "a7830bab239b79cda9c08c2da014761cafb48da6150e1da17ac06283f43b6089",
        "3.14": "a2c306dea656c12c68f51f4cea133cbe78ca7435eb28c735eac1d3ebe73be6e8",
    }),
    "pillow": ("13.0.0", {
        "3.11": "a625df9a2a5597fa5e5266e01aefc82604bb85d291e3547981e863560d75da6c",
        "3.12": "42d63be3af4f9b951b199b0a9d23365d37ab14687e6d77b74940432c8515c4ca",
        "3.13": "5f56499c1a74d2b862beb0c33b8016f99d095858455df9d21583bbbc1c15b582",
        "3.14": "e91c2b1cbeae768c98752e67e717e283d68dae45717b41f2d91eaee648e37b7d",
    }),
    "torchvision": ("0.26.0", {
        "3.10": "b6f9ad1ecc0eab52647298b379ee9426845f8903703e6127973f8f3d049a798b",
        "3.11": "fd10b5f994c210f4f6d6761cf686f82d748554adf486cb0979770c3252868c8f",
        "3.12": "d61a5abb6b42a0c0c311996c2ac4b83a94418a97182c83b055a2a4ae985e05aa",
        "3.13": "b7e6213620bbf97742e5f79832f9e9d769e6cf0f744c5b53dad80b76db633691",
        "3.14": "0f3e572efe62ad645017ea847e0b5e4f2f638d4e39f05bc011d1eb9ac68d4806",
    }),
    # torchaudio, which imports torch alone
    "torchaudio": ("2.11.0", {
        "3.10": "5847fe2022b17c6580aeb39c8797a443411cc09edfd9183cd50ac1a3b8ccf97c",
        "3.11": "1a07ec72fd6f26a588c39b5f029e0130d16bb40bc4221635580bf8fb18fcbc80",
        "3.12": "6503c0bdb29daf2e6281bb70ea2dfe2c3553b782b619eb5d73bdadd8a3f7cecf",
        "3.13": "1c1101c1243ef0e4063ec63298977e2d3655c15cf88d9eb0a1bd4fe2db9f47ea",
        "3.14": "00e9f71ab9c656f0abdb40c515bd65d4658ab0ad380dee27a2efd7d51dabd3d6",
    }),
    # timm; what it imports is here for the others
    "timm": ("1.0.31", "5bd50f7d0fe6d09bf9285ac2523234a1b7e6bf075c0be3e7aed09139fcb617c7"),
    # effdet, of which models/efficientdet/reference.py opens the files that need no package without a wheel
    "effdet": ("0.4.1", "10889a226228d515c948e3fcf811e64c0d78d7aa94823a300045653b9c284cb7"),
    # transformers and what it imports
    "h11": ("0.16.0", "63cf8bbe7522de3bf65932fda1d9c2772064ffb3dae62d55932da54b31cb6c86"),
    "httpcore2": ("2.16.2", "16051ae2a42f776007543f32de9349a317b23d2cbb4e1456b4bac0e88b87419a"),
    "httpx2": ("2.16.2", "f05c13aade4c45dbf1c9060647a1058f0acad62398fad96e741269edb33d46f5"),
    "huggingface-hub": ("2.4.0", "42ecfd93ede47bdd333daebbf66a32d7bfe2e18752754fe4d2d4f98a0179d801"),
    "idna": ("3.20", "ab7ae7122974553370f0bdb919e1a960b2cd1bc1ef0276416d896db81c14582c"),
    "packaging": ("26.3", "d7193f7c8e4e93f444fde0262bf90af30e16fa0ad0ad44cb553c87339b23cd1c"),
    "pyyaml": ("6.0.3", {
        "3.10": "9c7708761fccb9397fe64bbc0395abcae8c4bf7b0eac081e12b809bf47700d0b",
        "3.11": "b8bb0864c5a28024fac8a632c443c87c5aa6f215c0b126c449ae1a150412f31d",
        "3.12": "ba1cc08a7ccde2d2ec775841541641e4548226580ab850948cbfda66a1befcdc",
        "3.13": "0f29edc409a6392443abf94b9cf89ce99889a1dd5376d94316ae5145dfedd5d6",
        "3.14": "c458b6d084f9b935061bc36216e8a69a7e293a2f1e68bf956dcd9e6cbcd143f5",
    }),
    "regex": ("2026.11.15", {
        "3.11": "aafeb64c8569d69edfbf772feba49d2a001d3dca0f43e6a71e3735587ecb8222",
        "3.12": "f3758c3b1689ab778f3e1ae0f9aa4d22b8e4efc362e2e4cfdbbc5a208fed0bc1",
        "3.13": "7ad141cdbb94ee48a9128b7118bf82b4df2b80f3b3caa22c36045da49e765481",
        "3.14": "bbe5efba8a008a2a684173286be44b85b2cfc3427107662440903ccce6ec00d5",
    }),
    "safetensors": ("0.8.0", "fd6f3f93c9a0a7cc2788ee63fb763353d4bd2e89b0751bc78fcf7dda00bea774"),
    "tokenizers": ("0.23.3", "376851d22bcf9d650a5c3090bb83e6cf9e895fbf0595369fa4cd43c1f69b5f87"),
    "tqdm": ("4.70.1", "c293e525e6fef9c20e8728fd4612df02a0aa31bb5fe91ecd93e123b1b7bffa73"),
    "transformers": ("5.23.0", "018e82fd07490ad5bb58414f65e31576033dc7f36bed10c574843f69b90991bf"),
    "truststore": ("0.10.5", "9aaaedaefaf06d8b206278cf8b5012bc897f485a874503501e12d776df78951c"),
    # diffusers, and what it and torch_geometric import
    "certifi": ("2026.10.19.post1", "1324c476b4811eff41a8bc2122cd0bbd4d9c7234c725446d99ab1612b3a7fdd2"),
    "charset-normalizer": ("3.5.3", "96e268b0cbda016ac519513294fcd17032264085b600abaac58b93049477e132"),
    "diffusers": ("0.42.1", "9154faa704ce00e0b77f568e0d64786064368528aab5fc14eeea92f87d788014"),
    "requests": ("2.34.2", "2a0d60c172f83ac6ab31e4554906c0f3b3588d37b5cb939b1c061f4907e278e0"),
    "urllib3": ("2.8.0", "0cf3cae568d36aa9576b28dfb35f11328f1cb974ca7647d9475ebb86c75ac6e3"),
    # torch_geometric, and what it alone imports
    "psutil": ("7.2.2", "076a2d2f923fd4821644f5ba89f059523da90dc9014e85f8e45a5774ca5bc6f9"),
    "torch-geometric": ("2.8.1", "b628de243c0893f3435b6eca9a7bbc07f3219293ed27c974b8929aaae42e65d0"),
    "xxhash": ("4.1.0", {
        "3.11": "5e713f5db9e1a8aafac59a45cc1ffce11ca507730f5dc12e212ea7b73d9debde",
        "3.12": "34b86625dc36b54403b525e1d7b74a64343d9b65cee6e94872c6bd70722267ac",
        "3.13": "9ec781ad63129c8559d035cf0b876a3843c8ebb6e423c3e8742b3e9a92124b39",
        "3.14": "947868e22608b7bdee242532e707e63d22abf70d05d158640ca2ab94596d63ec",
    }),
    # the statistics' goldens
    "scipy": ("1.17.1", {
        "3.11": "43af8d1f3bea642559019edfe64e9b11192a8978efbd1539d7bc2aaa23d92de4",
        "3.12": "02ae3b274fde71c5e92ac4d54bc06c42d80e399fec704383dcd99b301df37458",
        "3.13": "581b2264fc0aa555f3f435a5944da7504ea3a065d7029ad60e7c3d1ae09c5464",
        "3.14": "eee2cfda04c00a857206a4330f0c5e3e56535494e30ca445eb19ec624ae75118",
    }),
    # what torch imports
    "filelock": ("4.2.11", "020e229e4bb9d410fc799c07ddf45fa217cba970278f40b30751d94f309b69e2"),
    "fsspec": ("2026.9.0", "8dd6e646e99ea382bd85f97a45e6b526a442d79423a7dc673f1e2756d05fcb5f"),
    "jinja2": ("3.1.6", "85ece4451f492d0c13c5dd7c13a64681a86afae63a5f347908daf103ce6d2f67"),
    "markupsafe": ("3.0.4", {
        "3.10": "d1aca03ede943eb80ab3d63bb082c84b7aab85ea83bd0fd0c200260945fb49d9",
        "3.11": "6da83a088f8ef93b2d483a8232a4dbf4d69d3d8496b568a03c56becac43e1808",
        "3.12": "8e124f974786f831d6043728e38296969d3579db8896fe004682f5758e613581",
        "3.13": "434139499bb20b502ed3baa1f169e618f924a97e7a777fea1a49446d80106cf6",
        "3.14": "a8e9f292fcda89b324f2f5c91d13f1424a153e40fc2756f38ee23b15835ff300",
    }),
    "mpmath": ("1.4.1", "dc4f0ea2304480d4a9a48a94c1020571558ade522b44a6912efac63a586e140f"),
    "networkx": ("3.6.1", "d47fbf302e7d9cbbb9e2555a0d267983d2aa476bac30e90dfbe5669bd57f3762"),
    "setuptools": ("84.2.1", "ca140b45d5325a9478f880e351484f62fef15f336462e449ca0c03c873d589c2"),
    "sympy": ("1.14.0", "e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5"),
    "typing-extensions": ("4.16.0", "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8"),
}

# LIBTORCH_WHEELS second: should both name a package, the C++ side's version wins.
ORACLE_WHEELS = dict(_PACKAGES.items() + LIBTORCH_WHEELS.items())

"""Google's client for Cloud Storage and what it imports: @gcs_python, 7 MB, for uploads and for proving the fake server.

Wheels for CPython 3.10 to 3.14 on x86-64 Linux. Requirements that are declared but never imported on our way (opentelemetry-api,
google-resumable-media, proto-plus, pyasn1, pyasn1-modules, pycparser) are left out on purpose: this list is the whole
site. To upgrade: edit, then `tools/bazel build @gcs_python//:python`; a wrong digest is refused with the right one
shown. The tests of //artifacts/fake_gcs and //tools/artifacts/upload then say whether the client still behaves.
"""

# A table of wheels (wheels.bzl).
GCS_WHEELS = {
    "certifi": ("2026.10.18", "73191c47aaa79da394e8fee2dbc2ec827432cab56311122c9e47abf79e390f62"),
    "cffi": ("2.1.1", {
        "3.10": "194cffa889098ced9976c3fc6340305e43f6303657d298da55366907c05c22d6",
        "3.11": "34e261f78cb6ceaaa36f42f2613f4380d94d9c759a9c73c769ee6e0247364632",
        "3.12": "c1453022f490d2459a11819d83ad1d586e9ff65a12ac3e705ffebd46d3685dcf",
        "3.13": "a931079504ecc49efed7744c476a5c343a92fabf66dec2db95edb1b2fdc770e2",
        "3.14": "b0431303acaea1089ad4b3e9ce4e6518193def1118d4073ca848635ee4ea2e96",
    }),
    "charset-normalizer": ("3.5.2", {
        "3.10": "8a893cc101149f80a653f82062ebc95b34525a2614382e1da5458fe7c6997249",
        "3.11": "211d5a3eb6af8f513b8d4ca19a8c1b7accab1b5f0d3175f9826b03c1a920dc1f",
        "3.12": "3d31298449090ab8d47b7b1b2a555ff73cac7ed438a08b7ac160980c7ebed649",
        "3.13": "7218e8f32b0956cfcd048fd42d9d5779809745ca1d86113ca56f66e7ae1549c4",
        "3.14": "34276fd796040bf0993ab33a369aa572e6979c7aab225a88893667ad8eac8f7a",
    }),
    "cryptography": ("50.0.2", {
        "3.10": "f21e8a22c8605750c7af886bab299a363721264061b4ac0a30efb73cfd58efc5",
        "3.11": "4061c0079120205fb760c58acab6443e217307dcf05e3702cf970e0689972856",
        "3.12": "4061c0079120205fb760c58acab6443e217307dcf05e3702cf970e0689972856",
        "3.13": "4061c0079120205fb760c58acab6443e217307dcf05e3702cf970e0689972856",
        "3.14": "4061c0079120205fb760c58acab6443e217307dcf05e3702cf970e0689972856",
    }),
    "google-api-core": ("2.44.0", "8cb9ad8af28de9bc75121686d69b697ce0937e21fad2ad80c9a7e89f22b26e1f"),
    "google-auth": ("2.62.2", "e9bcdb0679b6a4369ac327c5c59f06d92f7b4cd2624e7100294c14632f55a36b"),
    "google-cloud-core": ("2.8.0", "e235b0952f7ffe7b9c71a4cf96b506d9cfb557e22557c412f0df9b7068b5d007"),
    "google-cloud-storage": ("3.17.1", "287c7919d7bcda710eae6f6b60c756e89140475d9a4daec01b6174e737488ca8"),
    "google-crc32c": ("1.9.0", {
        "3.10": "280f3a3e47af0eeba3a3e5aa7d311af77001812b8df80fb8beafcd0b40eaf7f1",
        "3.11": "86764b99e7a607830d93cb5b75e0ec3ff6cb06d3c274624418473cee701900d4",
        "3.12": "3abb18297d9ef0ab120531838be0e6d68c9fa876570e11c229c48f2edac23ce7",
        "3.13": "0568b17ed90ac596f29400d99e243fd0cc6276766183def888d1bf8d1dc13827",
        "3.14": "dee799544cae42a42b17a88e38b59cf2c271051dc001da2117a8ff240ffa0548",
    }),
    "googleapis-common-protos": ("1.76.0", "59e13344a9f3651aa201a03e2bee815a3bf43a4baf1f9ff8a9b62a840ce25fac"),
    "idna": ("3.20", "ab7ae7122974553370f0bdb919e1a960b2cd1bc1ef0276416d896db81c14582c"),
    "protobuf": ("7.36.2", "89f23aa53c24553a2416fd4fd1ec06f74fa42b14b546d8883128813f775bbfd2"),
    "requests": ("2.34.2", "2a0d60c172f83ac6ab31e4554906c0f3b3588d37b5cb939b1c061f4907e278e0"),
    "urllib3": ("2.8.0", "0cf3cae568d36aa9576b28dfb35f11328f1cb974ca7647d9475ebb86c75ac6e3"),
}

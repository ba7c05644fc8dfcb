"""The packages with which //tools:results reads and writes: @results_python, 80 MB to fetch.

Wheels for CPython 3.11 to 3.14 on x86-64 Linux: msgspec reads results files, orjson writes them, pyarrow Parquet; pandas, with numpy,
python-dateutil and six, for the test that runs the examples of docs/results.md.
"""

# A table of wheels (wheels.bzl).
RESULTS_WHEELS = {
    "msgspec": ("0.22.0", {
        "3.11": "a6db3806b3b76ca78064255eac6fa101a8a64fe6f698d80fbaf81fdfa21217d4",
        "3.12": "99c401861c5bb3a57f7d6423ea7ed4352cd57aa3f04f4fbe9f3e3e4564a10f08",
        "3.13": "c6c310ef83e7e291b01a63298828f848348bb99e84a1098c4b3923c05674d032",
        "3.14": "5e4f7e09cceac7dbf4c0761b8ae7df51c55b5df5e9af7aff2c895aac1ebea015",
    }),
    "numpy": ("2.4.6", {
        "3.11": "89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93",
        "3.12": "90f9849678c75fe7afa2d348ac842c168b0a4d3d61919687216dfc547976d853",
        "3.13": "a7830bab239b79cda9c08c2da014761cafb48da6150e1da17ac06283f43b6089",
        "3.14": "a2c306dea656c12c68f51f4cea133cbe78ca7435eb28c735eac1d3ebe73be6e8",
    }),
    "orjson": ("3.13.0", {
        "3.10": "93c70a5e22bbbbdeafc7b273441e8452a196041d67fd4d9a9c450c66370a8486",
        "3.11": "89bcf2d4bc6c9a7e1763c8cf534f38712e66b76a0fefda7fb7785462f0d635e4",
        "3.12": "bceadfd314bd238f584fc229a4bbaf0e573597e7a026dec5429fbf29fd66c641",
        "3.13": "cbed5f4c4b88d94bcc36115f4c3bb3aa25da1563a5c3328aa3acebce2b083040",
        "3.14": "58a9619d88f8818d9ab6b39d70d203789457ba13c1ed5d274f33ce9ae7e81a36",
    }),
    "pandas": ("3.1.1", {
        "3.11": "4f1602f614bb83f443381dbcbb94c4ac764b2e50c8d6c965614c5cd83e328c47",
        "3.12": "028490c8ac2e03e18c9b08b7f3612e149b03570209bcf741d23833a7a5377ab2",
        "3.13": "645fa00fd85cfced2d2c09dc116d3694f578501b1ce4899153fbe64788ecda98",
        "3.14": "326459d8a9be11b5f48c7fc1d63e38ba7cfeaebe5d41bd19e4c5f4f11dc9ac91",
    }),
    "pyarrow": ("25.0.1", {
        "3.10": "a4d6d5e9a3d1879a97c08ded0c797579b7965eafd0f0c26c30b45ccc06db939b",
        "3.11": "25f8720bf6387d5dc2ebd2622112de630760419e4b66134405dd24110d15f37e",
        "3.12": "5389cdf79447ed1515c9e31620e6e1e2302249564d603f2ad727d4f6d313e4c3",
        "3.13": "0befcf816e45a1af33ac775a9970b749e4868a230c7372f0ae5e932bee27039f",
        "3.14": "9171748cdf796972d85a4b60157c279913e242992e350c90c7450182a9838b2a",
    }),
    "python-dateutil": ("4.0.0", "a5e246f79eb80475e691bf93862cead98decd8a498cf53ba0516fcdc0f50dc1c"),
    "six": ("1.17.0", "4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274"),
}

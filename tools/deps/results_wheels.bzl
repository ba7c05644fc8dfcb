"""The packages with which //tools:results and //tools:report read and write: @results_python, 115 MB to fetch.

Wheels for CPython 3.11 to 3.14 on x86-64 Linux: msgspec reads results files, orjson writes them, pyarrow Parquet; numpy computes
reports, matplotlib, with contourpy, cycler, fonttools, kiwisolver, packaging, pillow and pyparsing, draws them, plotext does so in a
terminal, and the JavaScript in plotly's wheel in a page; pandas, with python-dateutil and six, is what tests compare with.
"""

# A table of wheels (wheels.bzl).
RESULTS_WHEELS = {
    "contourpy": ("1.3.3", {
        "3.11": "51e79c1f7470158e838808d4a996fa9bac72c498e93d8ebe5119bc1e6becb0db",
        "3.12": "4d00e655fcef08aba35ec9610536bfe90267d7ab5ba944f7032549c55a146da1",
        "3.13": "4debd64f124ca62069f313a9cb86656ff087786016d76927ae2cf37846b006c9",
        "3.14": "f64836de09927cba6f79dcd00fdd7d5329f3fccc633468507079c829ca4db4e3",
    }),
    "cycler": ("0.12.1", "85cef7cff222d8644161529808465972e51340599459b8ac3ccbac5a854e0d30"),
    "fonttools": ("4.68.0", {
        "3.11": "4b9c89b5876f1a74b1341632dfaf4c4c2be565d76c060445df401ebe7a4ceefa",
        "3.12": "3edce69ecdefa73ab1041901ca22eefed6ebb93a77bc77e889d940479f25bf7d",
        "3.13": "08851f7d2b983412f490b73a7c56f17cbda1d4d85d2ad3f857564bf15b5d9475",
        "3.14": "cbb63b26d33acc3eb61f544c22a0cadbe01682fc064b266bb0e33fa66cea853f",
    }),
    "kiwisolver": ("1.5.1", {
        "3.11": "95a02752aa032eef4aed01cda6d9b687c669bd0396bf4519eef8bba22a286720",
        "3.12": "34633ecf50d16187ab8e5528b7a2530f2feb4e23f300db4672538b51cfc5cd38",
        "3.13": "74ad5c3dad54a4641b4c28cd15ded70899d04459c6c7aeacafea716be97cce6d",
        "3.14": "18a0cfb124546a4c2e6087c5f3029c7f44b37c85b142e0ced71f73a7599ac208",
    }),
    "matplotlib": ("3.11.2", {
        "3.11": "07d9b9fa60cd4c393692f50d0bb03123242ddf61c99bb0e95e75feb354e7c1a8",
        "3.12": "df4f7784aca81a94f254c0a2767d592ee25f407e488f5fa7203e51093fb6ca27",
        "3.13": "1944895967f87c84c9b4bad29a707b31f5b36df4a3a2339ea1f8ea3ce5105539",
        "3.14": "8c8255de28f986d935a64c9ca71c0ec2d2f41d355691f5ea684725dc91413f71",
    }),
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
    "packaging": ("26.4", "81383611a09c1bc0b08b76e0fd5829d7c6824c65b27a6aee339da133f4233ea2"),
    "pandas": ("3.1.1", {
        "3.11": "4f1602f614bb83f443381dbcbb94c4ac764b2e50c8d6c965614c5cd83e328c47",
        "3.12": "028490c8ac2e03e18c9b08b7f3612e149b03570209bcf741d23833a7a5377ab2",
        "3.13": "645fa00fd85cfced2d2c09dc116d3694f578501b1ce4899153fbe64788ecda98",
        "3.14": "326459d8a9be11b5f48c7fc1d63e38ba7cfeaebe5d41bd19e4c5f4f11dc9ac91",
    }),
    "pillow": ("13.0.0", {
        "3.11": "a625df9a2a5597fa5e5266e01aefc82604bb85d291e3547981e863560d75da6c",
        "3.12": "42d63be3af4f9b951b199b0a9d23365d37ab14687e6d77b74940432c8515c4ca",
        "3.13": "5f56499c1a74d2b862beb0c33b8016f99d095858455df9d21583bbbc1c15b582",
        "3.14": "e91c2b1cbeae768c98752e67e717e283d68dae45717b41f2d91eaee648e37b7d",
    }),
    "plotext": ("6.1.0", "e59f54cedfb56129e2aec1f885869fe13903fdd4e6f18a10301e71a7d5b9851c"),
    "plotly": ("7.1.0", "dbb7fa18afce40d0a8e80d1bf162eceb3faa0ce5a77fe741ad09a74cf78f53f3"),
    "pyarrow": ("25.0.1", {
        "3.10": "a4d6d5e9a3d1879a97c08ded0c797579b7965eafd0f0c26c30b45ccc06db939b",
        "3.11": "25f8720bf6387d5dc2ebd2622112de630760419e4b66134405dd24110d15f37e",
        "3.12": "5389cdf79447ed1515c9e31620e6e1e2302249564d603f2ad727d4f6d313e4c3",
        "3.13": "0befcf816e45a1af33ac775a9970b749e4868a230c7372f0ae5e932bee27039f",
        "3.14": "9171748cdf796972d85a4b60157c279913e242992e350c90c7450182a9838b2a",
    }),
    "pyparsing": ("3.3.3", "ece8c00a69cf01b45d0b1dedabb469c90d8caf996d4fda40f147627a122849a4"),
    "python-dateutil": ("4.0.0", "a5e246f79eb80475e691bf93862cead98decd8a498cf53ba0516fcdc0f50dc1c"),
    "six": ("1.17.0", "4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274"),
}

"""check-jsonschema, with the schemas of workflow files that it brings: @workflows_python, 3 MB to fetch, for
//ci:workflows_test only."""

# A table of wheels (wheels.bzl).
WORKFLOWS_WHEELS = {
    "attrs": ("26.1.0", "c647aa4a12dfbad9333ca4e71fe62ddc36f4e63b2d260a37a8b83d2f043ac309"),
    "certifi": ("2026.10.19.post1", "1324c476b4811eff41a8bc2122cd0bbd4d9c7234c725446d99ab1612b3a7fdd2"),
    "charset-normalizer": ("3.5.3", {
        "3.11": "2a6f937e0b70133d1f826d0a253331b6fe1a4c874808cc12e16f2fb8177042f4",
        "3.12": "e5e4785d8a0adeadfbdf75f4efc357911842674651cbafd7e97f69b11ec3cbc6",
        "3.13": "656b9744bac4493561d28b56d7d646afd7a8471254ef7004d849aa8368020037",
        "3.14": "ee9de080e8d6221bbe4ba2667367b1cee0f47a53f60ffc5e431b698cd2f2b214",
    }),
    "check-jsonschema": ("0.39.0", "14ce5c94871c551268ea948ffe21e9f1464dc48fb20bf9a4c13deeaaf756cf9b"),
    "click": ("8.5.1", "8bb5376d2006950386f8c6427613334a2acadc5f559cb80e638d00b4df957e37"),
    "idna": ("3.20", "ab7ae7122974553370f0bdb919e1a960b2cd1bc1ef0276416d896db81c14582c"),
    "jsonschema": ("4.26.0", "d489f15263b8d200f8387e64b4c3a75f06629559fb73deb8fdfb525f2dab50ce"),
    "jsonschema-specifications": ("2025.9.1", "98802fee3a11ee76ecaca44429fda8a41bff98b00a0f2838151b113f210cc6fe"),
    "referencing": ("0.37.0", "381329a9f99628c9069361716891d34ad94af76e461dcb0335825aecc7692231"),
    "regress": ("2026.9.1", {
        "3.11": "f5a0586fcd3f630af280d807bf81f61a2a653c83f7aefc7d4c1625d3e3b93159",
        "3.12": "cb43e6daa63d68133e125b550f66cc9a1ce6830fede5a1eb87ece9607c7bb622",
        "3.13": "c6c38738d973ee4680da9884c11bbd473841be6d660dbd00142192c279b01789",
        "3.14": "56716962a7c42f1ddb2d9d5467282f1f4855538e9f221cb0c5f51f1c9a2056be",
    }),
    "requests": ("2.34.2", "2a0d60c172f83ac6ab31e4554906c0f3b3588d37b5cb939b1c061f4907e278e0"),
    "rpds-py": ("2026.9.1", {
        "3.11": "136a1c3fe4402b7008bc81cb62ee538481795b61a7e83df88dff3b3f02b726ff",
        "3.12": "addeda51556dac7c1a2f14cda62db8b621cd12afba3091d03a96c72932387eab",
        "3.13": "7868b85224291c6cb6759f9b5adb9745f486d226f62b16a614dd5a2a5ab2b35b",
        "3.14": "eac2f5dbafd585dfe31f86a23ebf0d3ba480a9d49ebc87947267b5608d4ea0cd",
    }),
    "ruamel.yaml": ("0.19.1", "27592957fedf6e0b62f281e96effd28043345e0e66001f97683aa9a40c667c93"),
    "typing-extensions": ("4.16.0", "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8"),
    "urllib3": ("2.8.0", "0cf3cae568d36aa9576b28dfb35f11328f1cb974ca7647d9475ebb86c75ac6e3"),
}

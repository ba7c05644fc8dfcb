"""The packages with which //tools:mutate reads C++: @mutate_python, tree-sitter and its grammar of C++, 1 MB to
fetch."""

# A table of wheels (wheels.bzl).
MUTATE_WHEELS = {
    "tree-sitter": ("0.26.1", {
        "3.10": "6dc56eb5260d5f4da19ba16c8aeac3d6829237ef0aaf7dda134d778d42969769",
        "3.11": "1529457e099ee5963b9738d42ed8133316d936157e912aa4a985f4fdaf018ada",
        "3.12": "7b14ac81a2afdcf75610f714f1d2eeaac40da93965c104cabb5c4c2b536a488a",
        "3.13": "00e55f823de46b2bbcab9ca58a4c2a7ccc2b1dc28ed3fad7355fb32726008e21",
        "3.14": "0c1b48e17b26cf555060c1285b35f49eeb345222e62c2a35d70c393a7c61c65b",
    }),
    "tree-sitter-cpp": ("0.23.4", "773d2cafc08bbc0f998687fa33f42f378c1a371cdb582870c4d13abb06092706"),
}

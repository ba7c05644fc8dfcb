"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "fnet_base_masked_lm_fp32_b2_s128": {"sha256": "53775bef7a20836361d4cb42ec196761ee8fe1b6eec9f9b602d3535c9663a572", "size": 4688, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2f1489318f3"},
    "fnet_tiny_masked_lm_fp32_b2_s61": {"sha256": "04dbcc02b051347d676e16ae7884c6db6530a570560ab08ce3ea8764c97b74a4", "size": 4680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2f1489318f3"},
    "fnet_tiny_masked_lm_fp32_b2_s8": {"sha256": "c6795ae722177d5a7dfbd9b55b562a2a238f8418e728db64ac70335ce6d7994a", "size": 4672, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2f1489318f3"},
    "fnet_tiny_masked_lm_fp32_b2_s8_train": {"sha256": "bd5b1518f7bd411e996d96fed11634dabcaed1c211f719174a04cc93ca60aaf2", "size": 6064, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "d21f74f022ff"},
    "fnet_tiny_masked_lm_fp64_b2_s61": {"sha256": "04dbcc02b051347d676e16ae7884c6db6530a570560ab08ce3ea8764c97b74a4", "size": 4680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2f1489318f3"},
    "fnet_tiny_masked_lm_fp64_b2_s8": {"sha256": "c6795ae722177d5a7dfbd9b55b562a2a238f8418e728db64ac70335ce6d7994a", "size": 4672, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2f1489318f3"},
    "fnet_tiny_masked_lm_fp64_b2_s8_train": {"sha256": "bd5b1518f7bd411e996d96fed11634dabcaed1c211f719174a04cc93ca60aaf2", "size": 6064, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "d21f74f022ff"},
}

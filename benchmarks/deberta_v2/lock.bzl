"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "deberta_v2_tiny_absolute_masked_lm_bf16_b2_s8": {"sha256": "6496f806d02d88a42b6efd761d1a0517baf434bbb25e29433b0dff274080af6b", "size": 2720, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_absolute_masked_lm_fp16_b2_s8": {"sha256": "fcad1b3977d94d7054879ba4278fd9000f64e06ff670e64cb7f879caa820c285", "size": 2720, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_absolute_masked_lm_fp32_b2_s8": {"sha256": "5a232015d54181e6198b9e2b4acc23492e1e635ae0d02cb0e06c00aac177c5af", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_absolute_masked_lm_fp64_b2_s8": {"sha256": "5a232015d54181e6198b9e2b4acc23492e1e635ae0d02cb0e06c00aac177c5af", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_masked_lm_bf16_b2_s8": {"sha256": "b2956878af153a4839cb77f777b07702a09d36e06d49282a9818412d855bdaa7", "size": 2720, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_masked_lm_fp16_b2_s8": {"sha256": "0bf2fe0e4223f8bd976eb1f72251f599a8b83605cf1df1589fdd86fa79599b82", "size": 2720, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_masked_lm_fp32_b2_s8": {"sha256": "b6496f589a59f5eeea8cba2d550b6bfb6d4e18afdeeb1ebeaadd4cfc2c3affd7", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_masked_lm_fp32_b2_s8_train": {"sha256": "71b3c6e88361656a0b991d8792490ce9bfee17af33667dc0e92adb6cfa8e39c0", "size": 6696, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_masked_lm_fp64_b2_s8": {"sha256": "b6496f589a59f5eeea8cba2d550b6bfb6d4e18afdeeb1ebeaadd4cfc2c3affd7", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_masked_lm_fp64_b2_s8_train": {"sha256": "71b3c6e88361656a0b991d8792490ce9bfee17af33667dc0e92adb6cfa8e39c0", "size": 6696, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_qa_bf16_b2_s8": {"sha256": "85383f20828ec1b95bc0cd812d412ae4f806f7fbc0e4ccf69ac44d7316989998", "size": 928, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_qa_fp16_b2_s8": {"sha256": "b5aadc00c1c63d40852279f3ccd4541266645930a9628a2e1b8ba1fca811fd5b", "size": 928, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_qa_fp32_b2_s8": {"sha256": "02101ebc5b5a293e19aa42b7d1f5bc5c55b2d990555ad7958e09b8784640918b", "size": 1056, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_qa_fp32_b2_s8_train": {"sha256": "03b28909c65b6379d1a74ac47ed807b39d40af30822e4da52280b7a9886de6db", "size": 6336, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_qa_fp64_b2_s8": {"sha256": "02101ebc5b5a293e19aa42b7d1f5bc5c55b2d990555ad7958e09b8784640918b", "size": 1056, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v2_tiny_qa_fp64_b2_s8_train": {"sha256": "03b28909c65b6379d1a74ac47ed807b39d40af30822e4da52280b7a9886de6db", "size": 6336, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "68621ddbfd3f"},
    "deberta_v3_base_masked_lm_fp32_b2_s128": {"sha256": "f0335f7a50e85eed67331d6a8569f1aec94b32f02665b1da8169f44f356aef12", "size": 4776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v3_base_qa_fp32_b2_s128": {"sha256": "de8a4564cb45b3a65483930c31792c4655dc44f1dbf2be44a73a58c18b896f6b", "size": 4912, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v3_large_masked_lm_fp32_b2_s128": {"sha256": "d56167c1b2316e6f04d024aa1913fefbd117bd87d42da75a71f4f59cf30bdfe9", "size": 4784, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v3_small_masked_lm_fp32_b2_s128": {"sha256": "51063e19aebf0dc1812771e0620cc121697496d353d7588d500f9e579d46804d", "size": 4776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "deberta_v3_xsmall_masked_lm_fp32_b2_s128": {"sha256": "b8102229dd053693e9a8a47d3e227f688414dbd7f3250b792385966b36ed106a", "size": 4776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
}

"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "wavernn_bf16_b2": {"sha256": "fea5892f3f50db36cd8174f1087e84bc52ff63cddc324db199b0c3f40a951b46", "size": 2632, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "wavernn_fp16_b2": {"sha256": "7c4b53baa47f281a36d51d5291516052fdfdfd426fbc73523227ef19eba5facf", "size": 2632, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "wavernn_fp32_b2": {"sha256": "2329d55c8d23ff10ab94daf567c4bdbec0d6b3ff388eb084fdfd65eb8c099c1d", "size": 4680, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "wavernn_fp64_b2": {"sha256": "2329d55c8d23ff10ab94daf567c4bdbec0d6b3ff388eb084fdfd65eb8c099c1d", "size": 4680, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "wavernn_tiny_bf16_b2": {"sha256": "ca24653ed0b37c0d1d3f9e895d614c65184bb515ad12d9acaba74b1804a2e2b2", "size": 2616, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "wavernn_tiny_fp16_b2": {"sha256": "50c24d6ba3fc8a8364484d829937044ac98eef52efae03bfb396d3b39989e61b", "size": 2616, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "wavernn_tiny_fp32_b2": {"sha256": "2bcc5495a1053f1960338e9b52604f454a8ff4985dd8964bcf35a016c952655c", "size": 4664, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "wavernn_tiny_fp32_b8_train": {"sha256": "c94325cb0e29df1ac91e1e9b82f2704b6e6431e5547614fb080490ddf15cc1e8", "size": 12352, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "4ab71df63eed"},
    "wavernn_tiny_fp64_b2": {"sha256": "2bcc5495a1053f1960338e9b52604f454a8ff4985dd8964bcf35a016c952655c", "size": 4664, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "wavernn_tiny_fp64_b8_train": {"sha256": "c94325cb0e29df1ac91e1e9b82f2704b6e6431e5547614fb080490ddf15cc1e8", "size": 12352, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "4ab71df63eed"},
}

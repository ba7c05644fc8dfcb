"""A file of its own: `CcInfo = CcInfo` in one file reads its own global."""
native_cc_common = cc_common
native_cc_info = CcInfo

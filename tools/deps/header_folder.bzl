"""header_folder(): what a library of thousands of headers says as its hdrs."""

def header_folder(ctx, folder):
    """The folder itself for Bazel 4, whose sandboxes get a link for each file that is named: for LibTorch's 9,300 that takes as long as compiling.

    Bazel 7 wants each header declared, and keeps the links from one action to the next.

    Args:
      ctx: of the repository rule.
      folder: in the repository.

    Returns:
      an expression for the BUILD file.
    """
    return 'glob(["%s/**"])' % folder if hasattr(ctx, "watch_tree") else repr([folder])

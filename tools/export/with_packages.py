"""export_model with the packages of one format (@onnx_python, @stablehlo_python) behind those of @oracle_python.

Not for typing: export_model starts it.
"""

import glob
import os
import sys

from tools.export import export_model


def main():
    for start in glob.glob("../*onnx_python/bin/python") + glob.glob("../*stablehlo_python/bin/python"):
        sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(start))), "site"))
    return export_model.main()


if __name__ == "__main__":
    sys.exit(main())

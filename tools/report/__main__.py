"""python -m tools.report"""

from tools.report.program import main
from tools.results.command_line import start

if __name__ == "__main__":
    start(main)

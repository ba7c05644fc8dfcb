"""Starts program.py: python -m tools.history, under @results_python."""

from tools.history.program import main
from tools.results.command_line import start

if __name__ == "__main__":
    start(main)

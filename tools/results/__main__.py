"""Starts program.py: python -m tools.results, under @results_python."""

from tools.results.command_line import start
from tools.results.program import main

if __name__ == "__main__":
    start(main)

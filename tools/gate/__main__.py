"""Starts program.py: python -m tools.gate, under @results_python."""

from tools.gate.program import main
from tools.results.command_line import start

if __name__ == "__main__":
    start(main)

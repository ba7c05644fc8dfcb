"""Starts program.py: python -m tools.roofline, under @results_python."""

from tools.results.command_line import start
from tools.roofline.program import main

if __name__ == "__main__":
    start(main)

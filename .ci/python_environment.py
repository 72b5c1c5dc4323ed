"""Runs a script again in a virtual environment that has the packages it needs."""

import os
import subprocess
import sys
import venv


def enter(name, packages):
    """Creates `.build/NAME` with the packages if it is missing, and continues the script there."""
    folder = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".build", name))
    if os.path.realpath(sys.prefix) == os.path.realpath(folder):
        return
    python = os.path.join(folder, "bin", "python")
    mark = os.path.join(folder, "installed")
    if not os.path.exists(mark):
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        open(mark, "w").close()
    os.execv(python, [python, *sys.argv])

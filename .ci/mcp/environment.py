"""Runs a script again in a virtual environment that has the packages it needs."""

import os
import subprocess
import sys
import venv

PACKAGES = ["mcp==2.3.0", "fastmcp==4.2.3", "jsonschema==4.26.0", "psutil==7.2.2"]


def enter():
    """Creates `.build/mcp-clients` if it is missing, and continues the script there."""
    folder = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".build", "mcp-clients"))
    if os.path.realpath(sys.prefix) == os.path.realpath(folder):
        return
    python = os.path.join(folder, "bin", "python")
    mark = os.path.join(folder, "installed")
    if not os.path.exists(mark):
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        open(mark, "w").close()
    os.execv(python, [python, *sys.argv])

"""The packages of PyPI that the scripts of this folder use."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import python_environment


def enter():
    """Continues the script in a virtual environment that has them."""
    python_environment.enter(
        "mcp-clients", ["mcp==2.3.0", "fastmcp==4.2.3", "jsonschema==4.26.0", "psutil==7.2.2"])

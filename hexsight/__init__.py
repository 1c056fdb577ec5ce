"""From the picture of a hex map to line of sight in the VASSAL module."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("hexsight")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "0+unknown"

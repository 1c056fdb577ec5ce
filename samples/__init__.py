"""The project's own sample boards: drawn here, with the truth of what was drawn.

Public calls: `board_names`, `draw_board`, `write_samples`.
"""

from .draw import Sample, draw_board
from .registry import board_names
from .write import write_samples

__all__ = ["Sample", "board_names", "draw_board", "write_samples"]

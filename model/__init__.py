"""Terrain model of a hex map: layout, terrain catalogue, board and its derived facts.

Nothing here imports another package of hexsight; everything else imports this.
"""

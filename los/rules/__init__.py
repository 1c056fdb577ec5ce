"""Rules of line of sight, one family a file; small functions that return codes.

They take integers and arrays only, so that the interpreted and the compiled
engine share them.  What a code means is said once, in `registry`.
"""

"""What the rules of a game ask of a map beside line of sight: fronts, fire support, roads.

No die is ever rolled in here: a function that needs one takes it as a parameter, so that a
result can be repeated and a table with real dice be served.
"""

"""Rules that measure: smoke and buildings of a miniatures game, on outlines in inches."""

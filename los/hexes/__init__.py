"""Line of sight of games whose hexes hold all that matters: no pixel is looked at."""

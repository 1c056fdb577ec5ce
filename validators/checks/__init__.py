"""One check a file, named like its id: ``wall_outside_building.py`` is wall/outside-building."""

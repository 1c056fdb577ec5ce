"""The review page: look at what was found on a map, point for lines of sight, put it right."""

"""hexsight."""

"""Names that vulture takes for dead and that are not, each with who reads it.

`make lint` runs vulture twice: over the product alone, so that nothing lives on that only
its tests use, and over product and tests.
"""

# Fields and columns that other programs read: JSON, manifests, board files of other tools.
boards_a_minute
boards_a_core_minute
same_bytes
table_sha256
board_sha256
format_version
pictures_left
others_left
warn
compressed_size
external_attr
exc_text
create_system

# What a reader of modules says of them, for those who use it as a library (docs/python.md).
alternatives
class_name
edges_legal
corners_legal
reversible
los_threads
name_box
rms_error_px
mean_px
heights_half
rear
scattered
defenders
infantry
tank
passable

# Numbers of the rules: the compiled code takes them by their place in an array.
BLIND_RANGE
HINDER_FACTORY
HINDER_LIGHT
HINDER_ROOFLESS
HINDER_TERRAIN

# Functions of the rules that pages of docs/ show, for what is asked at the table.
shot
fire_smoke
start_turn
allows_indirect_fire
allows_antiaircraft_fire
may_spot
indirect_tem
sighting_drm
drifted
rule_names

# The schemas in docs/ are made of these, and tests hold them equal.
setup_schema
overlay_schema
project_schema

# The slow and plain way that tests hold the fast one to, and small ways in for them.
Oracle
pixel_line
owner_map
blocking_places

# What a detector found, drawn: for whoever works on one.
draw_reading
draw_cleaned
draw_roads
draw_scatter

# Called or read by a library: expat, pillow, starlette, importlib and click.
buffer_text
ordered_attributes
specified_attributes
StartElementHandler
EndElementHandler
XmlDeclHandler
StartDoctypeDeclHandler
DefaultHandler
standalone
fontmode
redirect_slashes

# Layers of a picture or chart, called by their name.
_hexsides
_roads
_heights
_truth
_differences

# Of the tests: methods that the standard library calls, a command that is named in a text,
# and a code that stands in a row of them.
handle_starttag
handle_data
writable
correct
PAVED

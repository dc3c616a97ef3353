"""The host side of the GDS mover, by topic: `mover` (make_gds), `operands` (its arrays as views), `provider` (records made on the
way), `predicates` (what it admits), `builders` (tiles and records), `install` (in the
published package)."""

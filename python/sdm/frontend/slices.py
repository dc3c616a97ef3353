"""How a row of `hd` columns is cut into slices, and so the type of a row value: vector<SxWxT>."""

SLICE = 128


def slice_count(width: int) -> int:
    return max(1, -(-width // SLICE))


def slice_width(width: int) -> int:
    """Columns of a slice: equal ones where they divide into fours, else fours spread so that the last is narrower."""
    count = slice_count(width)
    if width % count == 0 and (width // count) % 4 == 0:
        return width // count
    return 4 * -(-(-(-width // 4)) // count)


def row_type(width: int, element: str = "f32") -> str:
    return f"vector<{slice_count(width)}x{slice_width(width)}x{element}>"

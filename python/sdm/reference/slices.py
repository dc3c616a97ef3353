"""How a row of `hd` columns is cut into slices of at most 128 columns."""

LANES = 32
COLUMNS = 4  # of one virtual lane
WIDEST = LANES * COLUMNS


def count(hd):
    """Slices of a row of hd columns: ceil(hd / 128). Errors: hd < 1."""
    if hd < 1:
        raise ValueError(f"expected a row of at least one column, got {hd}")
    return -(-hd // WIDEST)


def is_even(hd):
    """Whether all slices have one width that is a multiple of 4."""
    n = count(hd)
    return hd % n == 0 and (hd // n) % COLUMNS == 0


def width(hd):
    """Columns from one slice's start to the next one's; the last slice may hold fewer, and hd % 4 of the row's end may be missing."""
    n = count(hd)
    if is_even(hd):
        return hd // n
    pieces = -(-hd // COLUMNS)
    return COLUMNS * -(-pieces // n)


def bounds(hd):
    """[(first column, column past the end)] of every slice, in order; together exactly 0 .. hd."""
    w = width(hd)
    return [(s * w, min((s + 1) * w, hd)) for s in range(count(hd))]

"""Tables that an extraction wrote: tab separated cells below one line that names the columns; an empty cell is empty."""
from fact_text.tables import LIST, Malformed, read_rows

DTYPES = ('fp32 fp16 bf16 fp64 int8 uint8 int16 int32 int64 bool complex64 complex128 complex32 fp8 uint16 uint32 uint64').split()
FP8 = 'fp8_e5m2', 'fp8_e4m3fn', 'fp8_e8m0'


def read(path, columns):
    """(place, {column: cell}) of every row of a table with just these columns."""
    rows = read_rows(path, LIST)
    place, header = next(rows)
    if header != columns.split():
        raise Malformed(place, 'the first line must name the columns %s' % columns)
    for place, cells in rows:
        if '.' in cells:
            raise Malformed(place, 'a cell of "." alone would read as empty')
        yield place, dict(zip(header, (cell.strip() for cell in cells)))


def types_in(text, place, others=()):
    """The set of data types in a list of words; others are passed over."""
    words = {'fp8' if word in FP8 else word for word in text.split() if word not in others}
    unknown = words.difference(DTYPES)
    if unknown:
        raise Malformed(place, 'no data type is called "%s"' % min(unknown))
    return words


def listed(types):
    return ' '.join(name for name in DTYPES if name in types)

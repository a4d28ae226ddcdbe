"""Reads Arrow IPC streams with nothing but Python's standard library: a second opinion, by another hand, on the bytes that we write.

Takes a base64 text a line on stdin, gives a JSON line each: {"table": {columns, batches, rows}} or {"error": text}. Values are
those of the raw buffers: 64-bit integers and timestamps as text, decimals as the text of their unscaled integer.
"""
import base64
import json
import struct
import sys

METADATA_V5 = 4
SCHEMA, RECORD_BATCH = 1, 3


class Flat:
    """A table of a FlatBuffers text; fields by their number."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.vtable = at - struct.unpack_from('<i', data, at)[0]
        self.size = struct.unpack_from('<H', data, self.vtable)[0]

    def place(self, field):
        slot = 4 + 2 * field
        if slot >= self.size:
            return None
        offset = struct.unpack_from('<H', self.data, self.vtable + slot)[0]
        return None if offset == 0 else self.at + offset

    def scalar(self, field, form, default):
        at = self.place(field)
        if at is None:
            return default
        if at % struct.calcsize(form) != 0:
            raise ValueError('a field of the metadata is not aligned')
        return struct.unpack_from(form, self.data, at)[0]

    def target(self, field):
        at = self.place(field)
        return None if at is None else at + struct.unpack_from('<I', self.data, at)[0]

    def table(self, field):
        at = self.target(field)
        return None if at is None else Flat(self.data, at)

    def text(self, field):
        at = self.target(field)
        if at is None:
            return None
        length = struct.unpack_from('<I', self.data, at)[0]
        return self.data[at + 4:at + 4 + length].decode('utf-8')

    def tables(self, field):
        at = self.target(field)
        if at is None:
            return []
        places = [at + 4 + 4 * index for index in range(struct.unpack_from('<I', self.data, at)[0])]
        return [Flat(self.data, place + struct.unpack_from('<I', self.data, place)[0]) for place in places]

    def structs(self, field, form):
        at = self.target(field)
        if at is None:
            return []
        size = struct.calcsize(form)
        return [struct.unpack_from(form, self.data, at + 4 + size * index)
                for index in range(struct.unpack_from('<I', self.data, at)[0])]


class Field:
    def __init__(self, flat):
        self.name = flat.text(0)
        self.nullable = bool(flat.scalar(1, '<B', 0))
        self.kind = flat.scalar(2, '<B', 0)
        if flat.table(4) is not None:
            raise ValueError('dictionaries are not read here')
        self.type = flat.table(3)
        self.children = [Field(child) for child in flat.tables(5)]

    def type_text(self):
        kind, of = self.kind, self.type
        if kind == 2:
            return ('Int' if of.scalar(1, '<B', 0) else 'Uint') + str(of.scalar(0, '<i', 0))
        if kind == 3:
            return 'Float' + str(16 << of.scalar(0, '<h', 0))
        if kind == 5:
            return 'Utf8'
        if kind == 6:
            return 'Bool'
        if kind == 7:
            return 'Decimal%d(%d,%d)' % (of.scalar(2, '<i', 128), of.scalar(0, '<i', 0), of.scalar(1, '<i', 0))
        if kind == 8:
            return 'Date32<DAY>' if of.scalar(0, '<h', 1) == 0 else 'Date64<MILLISECOND>'
        if kind == 10:
            unit = ['SECOND', 'MILLISECOND', 'MICROSECOND', 'NANOSECOND'][of.scalar(0, '<h', 0)]
            zone = of.text(1)
            return 'Timestamp<%s%s>' % (unit, '' if zone is None else ', ' + zone)
        if kind == 12:
            return 'List<%s>' % self.children[0].type_text()
        if kind == 13:
            return 'Struct<%s>' % ', '.join('%s: %s' % (child.name, child.type_text()) for child in self.children)
        raise ValueError('type %d is not read here' % kind)


class Batch:
    """Takes nodes and buffers of a record batch in the order of its fields."""

    def __init__(self, flat, body):
        if flat.table(3) is not None:
            raise ValueError('compressed bodies are not read here')
        self.length = flat.scalar(0, '<q', 0)
        self.nodes = iter(flat.structs(1, '<qq'))
        self.buffers = iter(flat.structs(2, '<qq'))
        self.body = body

    def buffer(self):
        offset, length = next(self.buffers)
        if offset % 8 != 0 or offset + length > len(self.body):
            raise ValueError('a buffer lies outside the body, or not at a multiple of 8')
        return self.body[offset:offset + length]

    def column(self, field):
        length, nulls = next(self.nodes)
        valid = self.buffer()
        if nulls > 0 and len(valid) * 8 < length:
            raise ValueError('the presence of values is not there')
        here = [nulls == 0 or bit(valid, at) for at in range(length)]
        if length - sum(here) != nulls:
            raise ValueError('the count of NULLs is wrong in %s' % field.name)
        return [value if there else None for value, there in zip(self.values(field, length), here)]

    def values(self, field, length):
        kind = field.kind
        if kind == 13:
            children = [(child.name, self.column(child)) for child in field.children]
            if any(len(values) != length for _, values in children):
                raise ValueError('a part of %s has another length' % field.name)
            return [{name: values[at] for name, values in children} for at in range(length)]
        data = self.buffer()
        if kind in (5, 12):
            ends = struct.unpack_from('<%di' % (length + 1), data) if length > 0 else (0,)
            if any(one > other for one, other in zip(ends, ends[1:])):
                raise ValueError('offsets fall in %s' % field.name)
            pairs = list(zip(ends, ends[1:]))
            if kind == 12:
                items = self.column(field.children[0])
                return [items[one:other] for one, other in pairs]
            text = self.buffer()
            if ends[-1] > len(text):
                raise ValueError('texts are cut in %s' % field.name)
            return [text[one:other].decode('utf-8') for one, other in pairs]
        if kind == 6:
            return [bit(data, at) for at in range(length)]
        if kind == 7:
            return [str(int.from_bytes(data[16 * at:16 * at + 16], 'little', signed=True)) for at in range(length)]
        form = {'Int32': 'i', 'Int64': 'q', 'Float64': 'd', 'Date32<DAY>': 'i'}.get(field.type_text(), 'q')
        found = struct.unpack_from('<%d%s' % (length, form), data)
        return [str(value) for value in found] if form == 'q' else list(found)


def bit(data, at):
    return data[at >> 3] >> (at & 7) & 1 == 1


def read(data):
    at, fields, batches, rows, ended = 0, None, [], [], False
    while at < len(data):
        if ended:
            raise ValueError('bytes follow the end')
        mark, size = struct.unpack_from('<Ii', data, at)
        if mark != 0xFFFFFFFF:
            raise ValueError('a message does not begin with its mark')
        at += 8
        if size == 0:
            ended = True
            continue
        if at % 8 != 0 or size % 8 != 0:
            raise ValueError('a message is not aligned')
        head = data[at:at + size]
        at += size
        message = Flat(head, struct.unpack_from('<I', head, 0)[0])
        if message.scalar(0, '<h', 0) != METADATA_V5:
            raise ValueError('the metadata is of another version')
        kind, body_size = message.scalar(1, '<B', 0), message.scalar(3, '<q', 0)
        body = data[at:at + body_size]
        if len(body) != body_size:
            raise ValueError('a body is cut')
        at += body_size
        if kind == SCHEMA and fields is None:
            fields = [Field(field) for field in message.table(2).tables(1)]
        elif kind == RECORD_BATCH and fields is not None:
            batch = Batch(message.table(2), body)
            columns = [batch.column(field) for field in fields]
            if next(batch.nodes, None) is not None or next(batch.buffers, None) is not None:
                raise ValueError('there are more buffers than columns')
            if any(len(column) != batch.length for column in columns):
                raise ValueError('a column has another length than its batch')
            batches.append(batch.length)
            rows.extend([column[row] for column in columns] for row in range(batch.length))
        else:
            raise ValueError('message of kind %d out of place' % kind)
    if not ended:
        raise ValueError('the stream has no end mark')
    columns = ['%s: %s%s' % (f.name, f.type_text(), '' if f.nullable else ' not null') for f in fields]
    return {'columns': columns, 'batches': [size for size in batches if size > 0], 'rows': rows}


for line in sys.stdin:
    try:
        answer = {'table': read(base64.b64decode(line))}
    except Exception as error:
        answer = {'error': '%s: %s' % (type(error).__name__, error)}
    print(json.dumps(answer), flush=True)

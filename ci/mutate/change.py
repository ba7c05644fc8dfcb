"""One small change of a file: what the mutation operators give."""

from typing import NamedTuple


class Change(NamedTuple):
    """Bytes start to end of the file become `text`; `include` is a header that the new text needs."""

    start: int
    end: int
    text: str
    include: str = ""

    def applied(self, data):
        changed = data[:self.start] + self.text.encode() + data[self.end:]
        line = b"#include <%s>\n" % self.include.encode()
        if not self.include or line in data:
            return changed
        at = data.find(b"#include")
        return changed if not 0 <= at <= self.start else changed[:at] + line + changed[at:]


def replaced(node, text, include=""):
    return Change(node.start_byte, node.end_byte, text, include)


def exchanged(data, first, second):
    """Two nodes, `first` before `second`, change places."""
    middle = data[first.end_byte:second.start_byte]
    new = data[second.start_byte:second.end_byte] + middle + data[first.start_byte:first.end_byte]
    return Change(first.start_byte, second.end_byte, new.decode(errors="replace"))

"""Bytes and seconds as a person reads them: "16.4 kB", "2 min 05 s"."""


def size_text(count):
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return "%.1f %s" % (count / factor, unit)
    return "%d B" % count


def duration_text(seconds):
    if seconds < 9.95:
        return "%.1f s" % seconds
    if seconds < 59.5:
        return "%.0f s" % seconds
    return "%d min %02d s" % divmod(round(seconds), 60)

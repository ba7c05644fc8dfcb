"""Numbers and their units for people. 0 stands for what is not known: "-"."""


def counted(count, one, many=""):
    """ "1 row", "2 rows"."""
    return "%d %s" % (count, one if count == 1 else many or one + "s")


def size(number):
    """Bytes: "64 B", "4.00 MiB", "50.0 MiB"."""
    if not number > 0:
        return "-"
    if number < 1024:
        return "%d B" % number
    unit, value = "B", float(number)
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1023.5:  # else it would be printed as 1024
            break
        unit, value = larger, value / 1024
    return "%.*f %s" % (2 if value < 9.995 else 1 if value < 99.95 else 0, value, unit)


def duration(ns):
    """ "614 ns", "25.27 ms"."""
    if not ns > 0:
        return "-"
    if ns < 1e3:
        return "%.3g ns" % ns
    for unit, end in (("us", 1e6), ("ms", 1e9)):
        if ns < end:
            return "%.4g %s" % (ns / end * 1e3, unit)
    return "%.4g s" % (ns / 1e9)


def by_thousands(value):
    """ "33.55 M", "1 G"."""
    if not value > 0:
        return "-"
    prefixes = ["", " k", " M", " G", " T", " P"]
    while value >= 999.95 and len(prefixes) > 1:
        value /= 1000
        prefixes.pop(0)
    return "%.4g%s" % (value, prefixes[0])


def digits(value):
    """ "0.4954", "1173", "14206": a GPU has more GFLOP/s than four digits hold."""
    if value >= 9999.5:
        return "%.0f" % value
    return "%.4g" % value if value > 0 else "-"


def share(row):
    return "%.3g" % (100 * row.share.value) if row.share else "-"


def share_interval(row):
    return "%.3g .. %.3g" % (100 * row.share.low, 100 * row.share.high) if row.share and row.share.has_interval else "-"

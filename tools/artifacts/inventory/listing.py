"""`artifacts list` and `artifacts size`: what is pinned, and what testing something would download."""

from artifacts.format import lock_table
from artifacts.format.quantity import size_text
from tools.artifacts.inventory import holdings, output

COLUMNS = ("key", "role", "object", "size", "store", "from", "commit", "provenance", "cases")
SIZE_COLUMNS = ("what", "blobs", "bytes")
EMBEDDED_GOAL_BYTES = 16 << 20


def rows(table, places, cases):
    """A record for each row of the lock."""
    return [
        {
            "key": key,
            "role": row.role or "reference",
            "object": row.object_name,
            "size": row.size,
            "store": row.store,
            "from": places.place(row),
            "commit": row.commit,
            "provenance": row.provenance,
            "cases": cases.labels_of(lock_table.case_key(key, row)),
        }
        for key, row in sorted(table.items())
    ]


def _line(record):
    digest, size, cases = record["object"][:8], size_text(record["size"]), len(record["cases"])
    return record["key"], digest, size, record["from"], record["commit"] or "-", cases, record["provenance"]


def rows_text(records, sources):
    head = ("key", "object", ">size", "from", "commit", ">cases", "provenance")
    yield from output.table(head, [_line(record) for record in records])
    distinct = {r["object"]: r["size"] for r in records}
    yield "%d rows, %d blobs, %s" % (len(records), len(distinct), size_text(sum(distinct.values())))
    if any(r["from"] in (holdings.BUCKET, holdings.CACHE) for r in records):
        yield "bucket: %s" % ", ".join(source.text for source in sources)
    missing = sum(r["from"] == holdings.NOWHERE for r in records)
    if missing:
        yield "%d rows have no blob here and ASSAY_BUCKET is not set" % missing


def sizes(table, chosen, places):
    """Records of {what, blobs, bytes}: the chosen part of the table by where it comes from, then the whole store."""
    wanted = [blob.row for blob in holdings.blobs(chosen)]
    by_place = {
        place: [row for row in wanted if places.place(row) == place]
        for place in (holdings.TREE, holdings.STAGED, holdings.CACHE, holdings.BUCKET, holdings.NOWHERE)
    }
    embedded = [blob.row for blob in holdings.blobs(table) if blob.row.store == lock_table.EMBEDDED]
    return [
        _record("needed", wanted),
        _record("in the tree", by_place[holdings.TREE]),
        _record("staged here", by_place[holdings.STAGED]),
        _record("in the cache", by_place[holdings.CACHE]),
        _record("to download", by_place[holdings.BUCKET]),
        _record("to be had nowhere: ASSAY_BUCKET is not set", by_place[holdings.NOWHERE]),
        _record("embedded store in all", embedded),
    ]


def _record(what, members):
    return {"what": what, "blobs": len(members), "bytes": sum(row.size for row in members)}


def sizes_text(records):
    shown = [record for record in records if record["blobs"] or record["what"] == "to download"]
    lines = [(record["what"], record["blobs"], size_text(record["bytes"])) for record in shown]
    yield from output.table(("what", ">blobs", ">size"), lines)
    embedded = records[-1]["bytes"]
    verdict = "within" if embedded <= EMBEDDED_GOAL_BYTES else "OVER"
    share = 100 * embedded / EMBEDDED_GOAL_BYTES
    yield "the embedded store is %s its 16 MiB (%s, %.0f %%)" % (verdict, size_text(embedded), share)

"""What tells the configurations of one case apart: the settings in which they differ.

    differing.of(connection)       # {id of the table `cases`: "batch=4 lowering=int8_weights"}; none where there is one configuration
    differing.TABLES               # the same as SQL: behind WITH, the table differing(id, called)

Device and back end have columns of their own. A setting that a record does not name, since it is older than the flag, differs from
none.
"""

_OWN_COLUMNS = ("device",)
TABLES = """setting AS (
  SELECT c.id, c.case_name, s.key, s.value FROM cases c JOIN json_each(c.flags) s WHERE s.key NOT IN (%s) ORDER BY c.id, s.key),
varying AS (SELECT case_name, key FROM setting GROUP BY 1, 2 HAVING count(DISTINCT value) > 1),
differing AS (
  SELECT s.id, group_concat(s.key || '=' || s.value, ' ') AS called
  FROM setting s JOIN varying v ON v.case_name = s.case_name AND v.key = s.key GROUP BY s.id)""" % ", ".join(
    "'%s'" % name for name in _OWN_COLUMNS
)


def of(connection):
    return dict(connection.execute("WITH %s SELECT id, called FROM differing" % TABLES))

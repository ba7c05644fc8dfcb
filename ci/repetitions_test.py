"""A run that two tests of the default tier make is shown; a run of another tier is not."""

import io
import unittest

from ci import repetitions

_QUERY = '<?xml version="1.1" encoding="UTF-8" standalone="no"?>\n<query version="2">%s</query>'


def _list(name, values):
    return '<list name="%s">%s</list>' % (name, "".join('<string value="%s"/>' % value for value in values))


def one(name, action, case, tags=()):
    return ('<rule class="case_test" name="%s"><string name="action" value="%s"/><label name="case" value="%s.pb"/>%s</rule>' %
            (name, action, case, _list("tags", tags)))


def many(name, *tests):
    return '<rule class="cases_test" name="%s">%s</rule>' % (name, _list("tests", tests))


def run_on(*rules):
    out = io.StringIO()
    code = repetitions.main(_QUERY % "".join(rules), out)
    return code, out.getvalue()


class RepetitionsTest(unittest.TestCase):
    def test_each_once(self):
        self.assertEqual(
            run_on(many("//b/mlp:cases_test", "x_smoke_test smoke x", "x_mutants_test verify x --check=mutants"),
                   one("//b/mlp:y_accuracy_test", "verify", "//b/mlp:y")),
            (0, "looked at 3 runs of cases in 2 tests: each is run once\n"))

    def test_a_test_beside_the_one_of_all_cases(self):
        code, text = run_on(many("//b/mlp:cases_test", "x_mutants_test verify x --check=mutants"),
                            one("//b/mlp:x_accuracy_test", "verify", "//b/mlp:x"))
        self.assertEqual(code, 1)
        self.assertIn("verify //b/mlp:x is run by //b/mlp:cases_test and by //b/mlp:x_accuracy_test\n", text)

    def test_an_operator_that_the_test_of_all_operators_runs(self):
        code, text = run_on('<rule class="cc_test" name="//b/operators:operator_cases_test"/>',
                            one("//b/operators:mm_accuracy_test", "verify", "//b/operators:mm"))
        self.assertEqual(code, 1)
        self.assertIn("by //b/operators:operator_cases_test and by //b/operators:mm_accuracy_test", text)

    def test_other_tiers_do_not_count(self):
        both = [one("//b/mlp:%s_test" % tag, "verify", "//b/mlp:x", [tag]) for tag in ("manual", "large", "gpu", "bucket")]
        self.assertEqual(run_on(one("//b/mlp:x_accuracy_test", "verify", "//b/mlp:x"), *both)[0], 0)

    def test_nothing_read_proves_nothing(self):
        code, text = run_on()
        self.assertEqual(code, 2)
        self.assertIn("tools/bazel query 'tests(//...)' --output=xml", text)
        self.assertEqual(repetitions.main("", io.StringIO()), 2)


if __name__ == "__main__":
    unittest.main()

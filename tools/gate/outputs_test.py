"""What the gate says is fit to be passed on."""

import io
import unittest

from artifacts.fetch.secret_table import SECRET, with_secrets
from tools.gate import judging, outputs


class OutputsTest(unittest.TestCase):
    def test_no_form_of_a_secret_is_said(self):
        for form in with_secrets():
            judgement, printed = judging.Judgement(), io.StringIO()
            judgement.add("MISSING", form, form, file=form, line=1)
            judgement.notes.append(form)
            outputs.text(judgement, printed)
            for said in (
                printed.getvalue(),
                outputs.markdown(judgement, form, (), None),
                outputs.junit(judgement).decode(),
                "\n".join(outputs.github(judgement)),
                str(list(outputs.rows(judgement))),
            ):
                with self.subTest(form=form, said=said[:200]):
                    self.assertNotRegex(said, SECRET)


if __name__ == "__main__":
    unittest.main()

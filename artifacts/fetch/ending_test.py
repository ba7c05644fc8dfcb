import io
import os
import signal
import tempfile
import unittest

from artifacts.fetch import ending


class Stop(Exception):
    code = 4


class EndingTest(unittest.TestCase):
    def ended(self, raised=None, code=0, **more):
        def work():
            if raised is not None:
                raise raised
            return code

        err = io.StringIO()
        return ending.ended("tool", work, io.StringIO(), err, **more), err.getvalue()

    def test_the_code_of_the_work_is_the_programs(self):
        self.assertEqual((1, ""), self.ended(code=1))

    def test_an_error_is_a_line_and_a_code(self):
        for raised, code, said in (
            (ending.UsageError("--x: what?"), 3, "tool: --x: what?\nSee --help.\n"),
            (ending.SurroundingsError("git is not here"), 2, "tool: git is not here\n"),
            (FileNotFoundError(2, "No such file", "a"), 2, "tool: [Errno 2] No such file: 'a'\n"),
            (Stop("an operator"), 4, "tool: an operator\n"),
            (KeyboardInterrupt(), 130, "tool: stopped\n"),
            (BrokenPipeError(), 0, ""),
        ):
            with self.subTest(raised=raised):
                self.assertEqual((code, said), self.ended(raised))

    def test_sigterm_takes_back_what_was_made(self):
        made = []

        def work():
            with tempfile.TemporaryDirectory() as folder:
                made.append(folder)
                os.kill(os.getpid(), signal.SIGTERM)

        err, before = io.StringIO(), signal.getsignal(signal.SIGTERM)
        self.assertEqual(130, ending.ended("tool", work, io.StringIO(), err))
        self.assertEqual("tool: stopped\n", err.getvalue())
        self.assertFalse(os.path.exists(made[0]))
        self.assertEqual(before, signal.getsignal(signal.SIGTERM))

    def test_a_copy_of_the_process_ends_by_sigterm(self):
        def work():
            child = os.fork()
            if child == 0:
                os.kill(os.getpid(), signal.SIGTERM)
                os._exit(0)
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

        self.assertEqual((-signal.SIGTERM, ""), (ending.ended("tool", work, io.StringIO()), ""))

    def test_a_program_may_have_errors_of_its_own(self):
        self.assertEqual(3, self.ended(LookupError("x"), usage=(LookupError,))[0])
        self.assertEqual(2, self.ended(ArithmeticError("x"), surroundings=(ArithmeticError,))[0])

    def test_a_secret_is_not_said(self):
        self.assertNotIn("pw", self.ended(ending.UsageError("https://me:pw@host/b"))[1])

    def test_a_fault_of_the_program_keeps_its_trace(self):
        with self.assertRaises(ZeroDivisionError):
            self.ended(ZeroDivisionError())


if __name__ == "__main__":
    unittest.main()

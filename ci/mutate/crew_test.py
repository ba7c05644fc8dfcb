"""Workers share the mutants, and none continues once the caller has stopped asking."""

import threading
import unittest

from ci.mutate import crew


class _Worker:
    def __init__(self, judge=lambda mutant: "v" + mutant):
        self.judge, self.stopped = judge, False

    def stop(self):
        self.stopped = True


class CrewTest(unittest.TestCase):
    def test_each_mutant_is_judged_once(self):
        names = [str(number) for number in range(50)]
        got = list(crew.judged([_Worker(), _Worker(), _Worker()], names))
        self.assertEqual(sorted((name, "v" + name) for name in names), sorted(got))
        self.assertEqual([], list(crew.judged([_Worker()], [])))

    def test_two_are_at_work_at_once(self):
        both = threading.Barrier(2, timeout=60)
        self.assertEqual(2, len(list(crew.judged([_Worker(lambda mutant: both.wait()) for _ in range(2)], ["a", "b"]))))

    def test_the_first_error_ends_all(self):
        def fail(mutant):
            raise ValueError(mutant)

        workers = [_Worker(fail), _Worker()]
        with self.assertRaisesRegex(ValueError, "a|b"):
            list(crew.judged(workers, ["a", "b"] * 20))
        self.assertTrue(all(worker.stopped for worker in workers))

    def test_who_stops_asking_stops_the_workers(self):
        released = threading.Event()
        slow = _Worker(lambda mutant: released.wait(60))
        slow.stop = released.set
        verdicts = crew.judged([_Worker(), slow], ["a", "b", "c", "d"])
        next(verdicts)
        verdicts.close()
        self.assertTrue(released.is_set())
        self.assertLessEqual(threading.active_count(), 1)


if __name__ == "__main__":
    unittest.main()

"""Several workers, each with a copy of the tree and a Bazel of its own, that share a list of mutants.

    for mutant, verdict in crew.judged(workers, mutants):      # as they come
        ...

A compiler of one mutant uses one core, so that two workers keep two cores busy. What is not asked of the generator any more,
because of Ctrl-C or of an error, is stopped.
"""

import queue
import threading


def judged(workers, mutants):
    """(mutant, verdict) of each; the first error of a worker is raised here. A worker has judge(mutant) and stop()."""
    waiting, done = queue.SimpleQueue(), queue.SimpleQueue()
    for mutant in mutants:
        waiting.put(mutant)
    threads = [threading.Thread(target=_work, args=(worker, waiting, done), daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        for _ in mutants:
            mutant, verdict, error = done.get()
            if error:
                raise error
            yield mutant, verdict
    finally:
        while not waiting.empty():
            _next(waiting)
        for worker in workers:
            worker.stop()
        for thread in threads:
            thread.join()


def _next(waiting):
    try:
        return waiting.get_nowait()
    except queue.Empty:
        return None


def _work(worker, waiting, done):
    while (mutant := _next(waiting)) is not None:
        try:
            done.put((mutant, worker.judge(mutant), None))
        except Exception as error:
            done.put((mutant, None, error))
            return

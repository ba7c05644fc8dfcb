"""Noise keeps the committed blob; anything more needs a reason."""

import math
import unittest

from tools.artifacts.generate import drift
from artifacts.format import lock_table, reference_blob
from artifacts.format.reference_blob import Output, Stats


def blob(*values, provenance="p", **changes):
    mean = sum(values) / len(values)
    std = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    stats = Stats(mean, std, math.sqrt(sum(v * v for v in values)), max(map(abs, values)))
    output = Output((len(values),), None, values, stats)._replace(**changes)
    return drift.Blob(reference_blob.encode({"y": output}, {}), lock_table.EMBEDDED, provenance)


def row_of(a_blob):
    return lock_table.Row(a_blob.sha256, len(a_blob.data), a_blob.store, a_blob.provenance)


class DriftTest(unittest.TestCase):
    OLD = blob(1.0, -1.0, 3.0)

    def decide(self, new, row="old", committed="old", reason="", siblings=()):
        data = self.OLD.data if committed == "old" else committed
        row = row_of(self.OLD) if row == "old" else row
        return drift.decide("k", row, new, siblings, lambda _: data, reason)

    def test_a_key_without_a_row_is_new(self):
        decision = self.decide(self.OLD, row=None)
        self.assertEqual((drift.NEW, row_of(self.OLD)), (decision.status, decision.row))

    def test_equal_bytes_are_unchanged_even_where_the_blob_is_not_to_be_had(self):
        self.assertEqual(drift.UNCHANGED, self.decide(self.OLD, committed=None).status)

    def test_noise_keeps_the_committed_row_bit_for_bit(self):
        decision = self.decide(blob(1.0 + 1e-13, -1.0, 3.0, provenance="later versions"))
        self.assertEqual((drift.KEPT, row_of(self.OLD)), (decision.status, decision.row))
        self.assertTrue(0 < decision.drift < 1e-12)

    def test_noise_may_tip_a_float32_over(self):
        old = blob(1.0, -1.0, 3.0, dtype="F32")
        decide = lambda value: self.decide(blob(value, -1.0, 3.0, dtype="F32", stats=STATS), row_of(old), old.data)
        STATS = Stats(1.0, math.sqrt(8 / 3), math.sqrt(11), 3.0)
        self.assertEqual(drift.KEPT, decide(1.0 + 2**-23).status)
        self.assertEqual(drift.DRIFTED, decide(1.0 + 2**-22).status)
        self.assertEqual(drift.DRIFTED, self.decide(blob(1.0 + 2**-23, -1.0, 3.0, stats=STATS)).status, "in float64")

    def test_the_limit_is_relative_to_the_spread_of_the_output(self):
        std = math.sqrt(8 / 3)
        self.assertEqual(drift.KEPT, self.decide(blob(1.0, -1.0, 3.0 + 0.9e-9 * std)).status)
        self.assertEqual(drift.DRIFTED, self.decide(blob(1.0, -1.0, 3.0 + 1.1e-9 * std)).status)

    def test_drift_is_refused_without_a_reason(self):
        decision = self.decide(blob(1.0, -1.0, 3.1))
        self.assertEqual((drift.DRIFTED, None, "y"), (decision.status, decision.row, decision.where))

    def test_a_reason_replaces_the_row_and_stays_in_its_provenance(self):
        new = blob(1.0, -1.0, 3.1)
        decision = self.decide(new, reason="fixed the stride")
        self.assertEqual(drift.REPLACED, decision.status)
        self.assertEqual(row_of(new)._replace(provenance="p; replaced: fixed the stride"), decision.row)

    def test_a_reason_does_not_replace_what_did_not_drift(self):
        self.assertEqual(drift.KEPT, self.decide(blob(1.0 + 1e-13, -1.0, 3.0), reason="why not").status)

    def test_a_blob_that_names_a_parameter_which_is_gone_is_replaced_by_the_same_numbers(self):
        def named(text):
            output, _ = reference_blob.decode(self.OLD.data)
            data = reference_blob.encode(output, {"parameters": text})
            return drift.Blob(data, lock_table.EMBEDDED, "p")

        old = named('{"width": 3, "merged": false}')
        row = row_of(old)
        for new, status in (('{"width": 3}', drift.REPLACED), ('{"width": 3, "merged": false, "depth": 1}', drift.KEPT)):
            decision = drift.decide("k", row, named(new), [], lambda _: old.data, "")
            self.assertEqual(status, decision.status)

    def test_another_digest_without_the_committed_blob_is_not_judged(self):
        decision = self.decide(blob(1.0 + 1e-13, -1.0, 3.0), committed=None)
        self.assertEqual((drift.UNKNOWN, None), (decision.status, decision.row))

    def test_what_cannot_be_compared_has_drifted(self):
        for new in (blob(1.0, -1.0), blob(1.0, -1.0, 3.0, shape=(3, 1))):
            decision = self.decide(new)
            self.assertEqual((drift.DRIFTED, math.inf), (decision.status, decision.drift))

    def test_a_whole_output_is_not_compared_with_a_sample(self):
        values = tuple(math.sin(i) for i in range(3000))
        indices = reference_blob.sample_indices("y", (3000,))
        whole, sample = blob(*values), blob(*values, indices=indices, values=tuple(values[i] for i in indices))
        drifted, where = drift.difference(whole.data, sample.data)
        self.assertEqual(math.inf, drifted)
        self.assertIn("one is whole", where)

    def test_drift_between_the_sampled_elements_shows_in_the_statistics(self):
        changed = blob(1.0, -1.0, 3.0, stats=Stats(1.0, math.sqrt(8 / 3), math.sqrt(11) * (1 + 1e-8), 3.0))
        self.assertEqual(drift.DRIFTED, self.decide(changed).status)

    def test_a_damaged_committed_blob_is_drift_not_a_crash(self):
        decision = self.decide(blob(1.0, -1.0, 3.1), committed=b"garbage")
        self.assertEqual(drift.DRIFTED, decision.status)
        self.assertIn("malformed", decision.where)

    def test_a_constant_output_is_measured_by_its_size(self):
        old = blob(2.0, 2.0)
        decide = lambda new: drift.decide("k", row_of(old), new, (), lambda _: old.data)
        self.assertEqual(drift.KEPT, decide(blob(2.0, 2.0 + 1e-12)).status)
        self.assertEqual(drift.DRIFTED, decide(blob(2.0, 2.1)).status)

    def test_a_new_key_takes_the_row_of_a_twin_that_agrees(self):
        twin = row_of(self.OLD)
        decision = self.decide(blob(1.0 + 1e-13, -1.0, 3.0), row=None, siblings=[twin])
        self.assertEqual((drift.SHARED, twin), (decision.status, decision.row))
        decision = self.decide(blob(5.0, -1.0, 3.0), row=None, siblings=[twin])
        self.assertEqual(drift.NEW, decision.status)


if __name__ == "__main__":
    unittest.main()

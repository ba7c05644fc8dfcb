import json
import typing
import unittest

import msgspec

from defs.proto import record_types
from tools.results import projection, record, test_files


def decoded(text, kind):
    return msgspec.json.decode(json.dumps(text), type=kind, strict=False)


class RecordTypesTest(unittest.TestCase):
    """defs/proto/record_types.py, against records that the runner wrote."""

    def test_a_record_that_the_runner_wrote_is_the_same_when_it_was_read_by_them(self):
        for written in (test_files.real_record(), *test_files.gpu_records()):
            read = msgspec.to_builtins(decoded(written, record_types.Record))
            self.assertEqual(self.without_defaults(read), self.without_defaults(written))

    def without_defaults(self, value):
        """64-bit integers are texts in what the runner writes."""
        if isinstance(value, dict):
            inner = {name: self.without_defaults(one) for name, one in value.items()}
            return {name: one for name, one in inner.items() if one not in (0, "", None, [], {})}
        if isinstance(value, list):
            return [self.without_defaults(one) for one in value]
        return float(value) if self.is_number(value) else value

    @staticmethod
    def is_number(value):
        if isinstance(value, str):
            return value.lstrip("-").isdecimal()
        return isinstance(value, int) and not isinstance(value, bool)

    def test_a_field_has_the_type_of_its_proto(self):
        for path, kind in {
            "headline": bool,
            "operators_per_call": record_types.Int32,
            "peak_host_bytes": record_types.Int64,
            "median_ns": float,
            "checks.status": str,
            "clock_mhz": record_types.UInt32,
        }.items():
            self.assertEqual(projection.kind_of(record_types.Measurement, path), kind, path)
        self.assertEqual(projection.kind_of(record_types.BenchmarkCase, "seed"), record_types.UInt64)
        self.assertEqual(typing.get_origin(projection.field(record_types.Environment, "variables").type), dict)

    def test_an_integer_beyond_the_range_of_its_field_is_refused(self):
        for kind, value in ((record_types.Int32, 1 << 31), (record_types.Int64, 1 << 63), (record_types.UInt32, -1)):
            with self.assertRaises(msgspec.ValidationError):
                msgspec.convert(value, kind)

    def test_an_outcome_has_the_exit_code_of_the_proto_and_its_zero_is_none(self):
        codes = record_types.EXIT_CODES
        self.assertEqual([codes[name] for name in ("PASS", "NOT_VERIFIED", "CRASH", "NO_DEVICE", "TIMEOUT")], [0, 0, 1, 2, 2])
        self.assertEqual(set(codes.values()), {0, 1, 2})
        self.assertNotIn("OUTCOME_UNSPECIFIED", codes)


class ProjectionTest(unittest.TestCase):
    PATHS = ("outcome", "benchmark_case.model", "benchmark_case.operator_call.name", "measurements.checks.status")

    def test_has_the_named_fields_and_no_others(self):
        kind = projection.projection(record_types.Record, self.PATHS)
        self.assertEqual([f.name for f in msgspec.structs.fields(kind)], ["outcome", "benchmark_case", "measurements"])
        given = {"outcome": "PASS", "error": 5, "measurements": [{"mode": 7, "checks": [{"name": 1, "status": "CHECK_OK"}]}]}
        read = decoded(given, kind)
        self.assertEqual((read.outcome, read.measurements[0].checks[0].status), ("PASS", "CHECK_OK"))

    def test_what_is_absent_has_its_default(self):
        read = decoded({}, projection.projection(record_types.Record, self.PATHS))
        case = read.benchmark_case
        self.assertEqual((read.outcome, case.model, case.operator_call.name, read.measurements), ("", None, "", []))

    def test_a_whole_message_may_be_named(self):
        read = decoded({"verdict": {"runs": 3}}, projection.projection(record_types.Record, ["verdict"]))
        self.assertEqual((read.verdict.runs, read.verdict.message), (3, ""))

    def test_types_and_defaults_may_be_others(self):
        leaf = lambda kind, default: (typing.Optional[kind], None)
        kind = projection.projection(record_types.Verdict, ["message", "runs"], leaf, own={"rule": (str,), "runs": (str, "many")})
        self.assertEqual(msgspec.to_builtins(decoded({"rule": "EXACT"}, kind)), {"rule": "EXACT", "runs": "many", "message": None})
        with self.assertRaisesRegex(msgspec.ValidationError, "missing required field `rule`"):
            decoded({}, kind)

    def test_a_message_with_a_required_field_is_required_where_a_list_of_them_may_be_empty(self):
        own = {"cases.benchmark_case.name": (str,)}
        kind = projection.projection(record_types.Registry, ["cases.benchmark_case.tags", "cases.reference.key"], own=own)
        self.assertEqual(decoded({}, kind).cases, [])
        for one, lacking in (({}, "benchmark_case"), ({"benchmark_case": {}}, "name")):
            with self.assertRaisesRegex(msgspec.ValidationError, "missing required field `%s`" % lacking):
                decoded({"cases": [one]}, kind)

    def test_a_field_that_the_proto_lacks_is_refused_with_the_nearest(self):
        for path in ("measurements.median", "measurments"):
            with self.assertRaisesRegex(AttributeError, "has no field %s; the nearest is m" % path.rpartition(".")[2]):
                projection.projection(record_types.Record, [path])

    def test_a_record_that_was_read_for_its_columns_knows_what_was_absent(self):
        read = record.of({"schema_version": 2, "outcome": "CRASH"})
        self.assertTrue(read.duration_s != read.duration_s)
        self.assertIsNone(read.environment.cpu_model)


if __name__ == "__main__":
    unittest.main()

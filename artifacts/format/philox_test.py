"""Philox and FNV-1a against published values."""

import itertools
import unittest

from artifacts.format import philox


class PhiloxTest(unittest.TestCase):
    def test_gives_the_known_answers_of_random123(self):
        # kat_vectors of Random123 1.14.0, philox4x32 10.
        for counter, key, want in [
            ((0,) * 4, (0,) * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
            ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
            (
                (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
                (0xA4093822, 0x299F31D0),
                "d16cfe09 94fdcceb 5001e420 24126ea1",
            ),
        ]:
            self.assertEqual(want, " ".join("%08x" % word for word in philox.block(counter, key)))

    def test_fnv1a_gives_the_values_of_its_authors(self):
        # http://www.isthe.com/chongo/tech/comp/fnv, test vectors of FNV-1a 64.
        self.assertEqual(0xCBF29CE484222325, philox.fnv1a_64(""))
        self.assertEqual(0xAF63DC4C8601EC8C, philox.fnv1a_64("a"))
        self.assertEqual(0x85944171F73967E8, philox.fnv1a_64("foobar"))

    def test_word_e_is_word_e_mod_4_of_block_e_over_4(self):
        upper = philox.fnv1a_64("x")
        got = list(itertools.islice(philox.words(7 + (9 << 32), "x"), 6))
        second = philox.block((1, 0, upper & 0xFFFFFFFF, upper >> 32), (7, 9))
        self.assertEqual(list(second[:2]), got[4:])

    def test_another_seed_or_name_is_another_stream(self):
        first = [next(philox.words(*args)) for args in ((0, "a"), (1, "a"), (0, "b"), (1 << 32, "a"))]
        self.assertEqual(4, len(set(first)))


if __name__ == "__main__":
    unittest.main()

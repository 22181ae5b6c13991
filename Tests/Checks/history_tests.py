#!/usr/bin/env python3
"""Shows by small histories, written by hand, that the checkers of histories find what they must, and nothing else."""

import argparse
import json
import math
import random
import sys
import unittest

from history import Catalogue, Change, Read, Session
from linearizability import READ, WRITE, is_linearizable


def document(revision, log=(), marks=(), words=None, total=0):
    return {"revision": revision, "state": {
        "log": list(log), "marks": {mark: 1 for mark in marks}, "words": words or {}, "total": total,
        "last": log[-1] if log else ""}}


def write(name, begin, end=None, revision=None, client="a", **more):
    change = Change(name, client, "write", begin, [name], **more)
    return change if end is None else change.done(end, revision)


def merge(name, begin, end=None, revision=None, client="a", **more):
    change = Change(name, client, "merge", begin, (), name, **more)
    return change if end is None else change.done(end, revision)


class SessionTests(unittest.TestCase):
    def found(self, changes, final, reads=(), bound=None, **more):
        session = Session("s")
        session.changes += changes
        for read, told in reads:
            session.saw(read, None if told is None else json.dumps(told).encode())
        for name, value in more.items():
            setattr(session, name, value)
        return "\n".join(session.violations(final, bound))

    def test_one_after_the_other(self):
        self.assertEqual("", self.found(
            [write("x", 0, 1, 1), merge("y", 2, 3, 2), write("z", 4, 5, 3)],
            document(3, ["x", "z"], ["y"]),
            [(Read("b", "GET", 1.5, 1.6, 1), document(1, ["x"])),
             (Read("b", "GET", 1.7, 4.5, 2), document(2, ["x"], ["y"]))]))

    def test_at_the_same_time_any_order(self):
        changes = [write("x", 0, 5, 2), write("y", 0, 5, 1, "b")]
        self.assertEqual("", self.found(changes, document(2, ["y", "x"])))

    def test_lost(self):
        self.assertIn("lost: write x", self.found([write("x", 0, 1, 1)], document(0)))

    def test_twice(self):
        self.assertIn("happened twice: write x", self.found([write("x", 0, 1, 1)], document(2, ["x", "x"])))

    def test_twice_without_a_trace_but_the_revision(self):
        self.assertIn("1 revisions are of no change", self.found([merge("x", 0, 1, 1)], document(2, (), ["x"])))

    def test_refused_and_happened(self):
        self.assertIn("refused, and it happened: write x", self.found(
            [write("x", 0).refused(1)], document(1, ["x"])))

    def test_half_applied(self):
        change = Change("x", "a", "two", 0, ["x1", "x2"]).done(1, 1)
        self.assertIn("half applied: two x", self.found([change], document(1, ["x1"])))

    def test_nobody_asked(self):
        self.assertIn("nobody asked for ['q']", self.found([], document(1, ["q"])))

    def test_two_at_one_revision(self):
        self.assertIn("two at revision 1", self.found(
            [write("x", 0, 1, 1), write("y", 0, 1, 1)], document(2, ["x", "y"])))

    def test_later_but_before(self):
        self.assertIn("too early: write y", self.found(
            [write("x", 0, 1, 2), write("y", 2, 3, 1)], document(2, ["y", "x"])))

    def test_the_log_against_the_revisions(self):
        self.assertIn("log has another order", self.found(
            [write("x", 0, 5, 1), write("y", 0, 5, 2)], document(2, ["y", "x"])))

    def test_without_an_answer_it_may_have_happened_or_not(self):
        self.assertEqual("", self.found([write("x", 0), write("y", 2, 3, 1)], document(1, ["y"])))
        self.assertEqual("", self.found([write("x", 0), write("y", 2, 3, 1)], document(2, ["y", "x"])))
        self.assertEqual("", self.found([write("x", 0), write("y", 2, 3, 2)], document(2, ["x", "y"])))

    def test_without_an_answer_it_is_not_before_it_began(self):
        changes = [write("x", 4), write("y", 2, 3, 2)]
        self.assertNotEqual("", self.found(changes, document(2, ["x", "y"])))

    def test_places_of_what_was_not_answered_follow_from_reads(self):
        changes = [merge("x", 0), merge("y", 0), write("z", 6, 7, 3)]
        final = document(3, ["z"], ["x", "y"])
        self.assertEqual("", self.found(changes, final, [
            (Read("b", "GET", 1, 2, 1), document(1, (), ["x"]))]))
        self.assertNotEqual("", self.found(changes, final, [
            (Read("b", "GET", 1, 2, 1), document(1, (), ["y"]))]))

    def test_stale_read(self):
        changes = [write("x", 0, 1, 1)]
        self.assertIn("stale read: GET by b", self.found(
            changes, document(1, ["x"]), [(Read("b", "GET", 2, 3, 0, "r2"), document(0))]))
        self.assertEqual("", self.found(
            changes, document(1, ["x"]), [(Read("b", "GET", 0.5, 3, 0, "r2"), document(0))]))

    def test_reads_do_not_go_back(self):
        self.assertIn("stale read", self.found(
            [write("x", 0, 9, 1)], document(1, ["x"]),
            [(Read("b", "GET", 1, 2, 1), None), (Read("c", "GET", 3, 4, 0), None)]))

    def test_a_read_before_it_was_asked_for(self):
        self.assertIn("too early: write x", self.found(
            [write("x", 3, 4, 1)], document(1, ["x"]), [(Read("b", "GET", 1, 2, 1), document(1, ["x"]))]))

    def test_taken_back(self):
        self.assertNotEqual("", self.found(
            [write("x", 0, 3, 1)], document(1, ["x"]), [(Read("b", "GET", 1, 2, 2), None)]))

    def test_another_state_than_the_changes_leave(self):
        changes = [write("x", 0, 1, 1, words={"r": "x"})]
        self.assertIn("words at revision 1 differs in ['r']", self.found(
            changes, document(1, ["x"], words={"r": "y"})))

    def test_two_answers_at_a_revision(self):
        self.assertIn("two answers at revision 1", self.found(
            [write("x", 0, 1, 1)], document(1, ["x"]),
            [(Read("b", "GET", 2, 3, 1), document(1, ["x"])),
             (Read("b", "GET", 4, 5, 1), document(1, ["x"], total=1))]))

    def test_the_counter(self):
        change = Change("x", "a", "perform", 0, ["x"], total=1).done(1, 1)
        self.assertIn("the counter is 2, not 1", self.found([change], document(1, ["x"], total=2)))

    def test_a_required_revision(self):
        self.assertIn("required revision 0", self.found(
            [write("x", 0, 9, 1), write("y", 0, 9, 2, known=0)], document(2, ["x", "y"])))

    def test_recent(self):
        changes = [write("x", 0, 1, 1)]
        final = document(1, ["x"])
        old = lambda begin, **more: (Read("b", "GET", begin, begin + 1, 0, "r", True, **more), None)
        new = lambda begin, replica: (Read("c", "GET", begin, begin + 0.1, 1, replica, True), None)
        self.assertEqual("", self.found(changes, final, [old(2)], bound=5))
        self.assertIn("stale read", self.found(changes, final, [old(7)], bound=5))
        self.assertIn("its client sent revision 1", self.found(changes, final, [old(2, known=1)], bound=5))
        self.assertEqual("", self.found(changes, final, [new(1.5, "q"), old(2)], bound=5))
        self.assertIn("after GET by c", self.found(changes, final, [new(1.5, "r"), old(2)], bound=5))

    def test_closed(self):
        self.assertIn("stale read", self.found(
            [], document(0), [(Read("b", "GET", 5, 6, 0), None)], closed=(3, 4)))
        self.assertIn("an open session is not there", self.found(
            [], document(0), opened=(0, 1), misses=[(2, 3, "b", "r", False)]))
        self.assertEqual("", self.found([], document(0), opened=(0, 1), misses=[(0.5, 3, "b", "r", False)]))


class CatalogueTests(unittest.TestCase):
    def found(self, final, reads, removed=None):
        catalogue = Catalogue()
        catalogue.declared["k"] = Change("k", "a", "PUT", 0).done(1, None)
        if removed:
            catalogue.removed["k"] = Change("k", "a", "DELETE", removed[0]).done(removed[1], None)
        for read in reads:
            catalogue.saw(*read)
        return "\n".join(catalogue.violations(final))

    def test_known_at_once(self):
        self.assertEqual("", self.found((1, {"k"}), [(Read("b", "GET", 2, 3, 1), {"k"})]))
        self.assertIn("does not know PUT k", self.found((1, {"k"}), [(Read("b", "GET", 2, 3, 1), set())]))
        self.assertIn("does not know PUT k", self.found(
            (1, {"k"}), [(Read("b", "validate", 2, 3, 1), None, (), ["k"])]))

    def test_removed_at_once(self):
        self.assertEqual("", self.found((2, set()), [(Read("b", "GET", 2, 3, 1), {"k"})], (2, 4)))
        self.assertIn("still knows DELETE k", self.found(
            (2, set()), [(Read("b", "validate", 5, 6, 2), None, ["k"])], (2, 4)))

    def test_once(self):
        self.assertIn("the last revision is 2, not 1", self.found((2, {"k"}), []))

    def test_never_back(self):
        self.assertIn("stale read", self.found(
            (1, {"k"}), [(Read("b", "GET", 0, 2, 1), {"k"}), (Read("c", "validate", 3, 4, 0),)]))


class RegisterTests(unittest.TestCase):
    def test_textbook(self):
        self.assertTrue(is_linearizable([(0, 3, WRITE, 1), (1, 2, READ, 0), (1, 2, READ, 1)], 0))
        self.assertFalse(is_linearizable([(0, 1, WRITE, 1), (2, 3, READ, 0)], 0))
        self.assertFalse(is_linearizable([(0, 9, WRITE, 1), (1, 2, READ, 1), (3, 4, READ, 0)], 0))
        self.assertTrue(is_linearizable([(0, math.inf, WRITE, 1), (1, 2, READ, 0), (5, 6, READ, 1)], 0))
        self.assertTrue(is_linearizable([(0, math.inf, WRITE, 1), (5, 6, READ, 0)], 0))
        self.assertFalse(is_linearizable([(5, math.inf, WRITE, 1), (1, 2, READ, 1)], 0))

    def test_random(self):
        """Histories of a real register are linearizable; with one read that is older than it may be, they are not."""
        for seed in range(200):
            chance = random.Random(seed)
            value, now, operations = 0, 0.0, []
            for number in range(1, 40):
                now += chance.random()
                spread = chance.random() * 3
                if chance.random() < 0.5:
                    value = number
                    operations.append((now - spread, now + chance.random() * 3, WRITE, number))
                else:
                    operations.append((now - spread, now + chance.random() * 3, READ, value))
            self.assertTrue(is_linearizable(operations, 0), seed)
            last = max(end for _, end, *_ in operations)
            stale = operations + [(last + 1, last + 2, WRITE, 99), (last + 3, last + 4, READ, value)]
            self.assertFalse(is_linearizable(stale, 0), seed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", help="not needed; other scripts have it")
    _, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])

"""Wing and Gong's search for an order of the operations on one register, as Lowe and Horn and Kroening mended it.

It knows nothing of revisions, so that it checks them too. An operation without an answer may be anywhere after its
beginning, or nowhere.
"""

import math

WRITE, READ = "write", "read"


def is_linearizable(operations, initial, most=200_000):
    """True or False, or None if that many steps did not tell.

    Operations are (begin, end, WRITE or READ, value); the end of one without an answer is infinite.
    """
    operations = sorted(operations)
    needed = sum(1 << i for i, operation in enumerate(operations) if operation[1] < math.inf)
    ends = sorted((end, i) for i, (_, end, *_) in enumerate(operations) if end < math.inf)
    seen, stack, steps = set(), [(0, initial)], 0
    while stack:
        done, value = stack.pop()
        if done & needed == needed:
            return True
        if (done, value) in seen:
            continue
        seen.add((done, value))
        steps += 1
        if steps > most:
            return None
        # Those may come next that began before the first answer among what has no place yet.
        first = next(end for end, i in ends if not done >> i & 1)
        branches = []
        for i, (begin, _, kind, wanted) in enumerate(operations):
            if begin > first:
                break
            if done >> i & 1:
                continue
            if kind == READ and wanted == value:
                # A read that fits can always come at once.
                branches = [(done | 1 << i, value)]
                break
            if kind == WRITE:
                branches.append((done | 1 << i, wanted))
        stack += branches
    return False

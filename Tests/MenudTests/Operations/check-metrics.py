"""Reads a page of metrics with Prometheus' own parser and prints its families, one a line.

Beside what the parser refuses, it is an error when two samples are the same, or when a histogram does
not grow up to its count.
"""

import collections
import sys

from prometheus_client.parser import text_string_to_metric_families

met = set()
for family in text_string_to_metric_families(sys.stdin.read()):
    assert family.documentation, f"{family.name} has no help"
    print(family.name, family.type)
    buckets, counts = collections.defaultdict(list), {}
    for sample in family.samples:
        labels = dict(sample.labels)
        identity = (sample.name, *sorted(labels.items()))
        assert identity not in met, f"{identity} is there twice"
        met.add(identity)
        bound = labels.pop("le", None)
        series = tuple(sorted(labels.items()))
        if bound is not None:
            buckets[series].append((float(bound), sample.value))
        elif sample.name == family.name + "_count":
            counts[series] = sample.value
    assert buckets.keys() == counts.keys() or family.type != "histogram", family.name
    for series, found in buckets.items():
        assert found == sorted(found), f"{family.name}{series} does not grow"
        assert [value for _, value in found] == sorted(value for _, value in found), family.name
        assert found[-1] == (float("inf"), counts[series]), f"{family.name}{series} lacks values"

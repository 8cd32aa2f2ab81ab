#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints how often the host and each VM entered a function: calls_per_guest.py RECORDING FUNCTION"""
import collections
import sys

import csguest

calls = collections.Counter()
with csguest.Session(sys.argv[1]) as session:
    for batch in session:
        for e in batch:
            # Ranges that begin with the first instruction of the function.
            if e.kind == csguest.RANGE:
                symbol = session.symbol(e.owner, e.start, batch.lookup_time)
                if symbol and symbol.start == e.start and symbol.name == sys.argv[2]:
                    calls[session.owner(e.owner).vm] += 1
for vm, count in calls.items():
    print("VM %d: %d" % (vm, count))

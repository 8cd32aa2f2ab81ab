#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints how many instructions the host and each VM executed: instructions_per_vm.py RECORDING"""
import collections
import sys

import csguest

totals = collections.Counter()
with csguest.Session(sys.argv[1]) as session:
    for batch in session:
        columns = zip(batch.column("kind"), batch.column("owner"), batch.column("instructions"))
        for kind, owner, instructions in columns:
            if kind in (csguest.RANGE, csguest.RANGE_NOPATH):
                totals[owner] += instructions
    machines = collections.Counter()
    for number, instructions in totals.items():
        owner = session.owner(number)
        machines[owner.world, owner.vm] += instructions
for (world, vm), instructions in machines.items():
    print("%s VM %d: %d" % (world, vm, instructions))

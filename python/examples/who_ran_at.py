#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what ran on each CPU at a time, and on what evidence: who_ran_at.py RECORDING SECONDS"""
import sys

import csguest

time = int(float(sys.argv[2]) * 1e9 + 0.5)
# The filter drops what ran later, so the last range is the one that ran at the time.
with csguest.Session(sys.argv[1], end_time=time) as session:
    for stream in session.streams:
        last = None
        for batch in session.batches(stream=stream.number):
            for element in batch:
                if element.kind == csguest.RANGE:
                    last = element.owner, element.start
        if last:
            o = session.owner(last[0])
            print("CPU %d: %s VM %d vCPU %d EL%d %s %d/%d at 0x%x (%s)" %
                  (stream.cpu, o.world, o.vm, o.vcpu, o.el, session.comm(o.vm, o.tid, time) or "?",
                   o.pid, o.tid, last[1], o.evidence))

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lists what one VM executed between two times: custom_filter.py RECORDING VM SECONDS SECONDS"""
import sys

import csguest

begin, end = (int(float(seconds) * 1e9 + 0.5) for seconds in sys.argv[3:5])
with csguest.Session(sys.argv[1], vms=[int(sys.argv[2])], begin_time=begin, end_time=end) as session:
    cpus = [stream.cpu for stream in session.streams]
    for batch in session.batches("time"):
        for e in batch:
            if e.kind == csguest.RANGE:
                symbol = session.symbol(e.owner, e.start, batch.lookup_time)
                print("%d CPU %d EL%d 0x%x %d %s" % (batch.time, cpus[batch.stream], e.el, e.start,
                                                    e.instructions, symbol.name if symbol else "?"))

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints, for each exit of a guest to the host, the function of the guest that was running."""
import sys

import csguest

PLACES = (csguest.RANGE, csguest.EXCEPTION, csguest.GAP, csguest.END)
last = None  # the exception in a guest that came last, unless something else followed
with csguest.Session(sys.argv[1]) as session:
    for batch in session:
        for e in batch:
            if e.kind not in PLACES:
                continue
            # An exit is an exception in a guest that is followed by code of another world.
            if last and e.kind == csguest.RANGE and session.owner(e.owner).world != "guest":
                owner, has_return, address = last
                symbol = session.symbol(owner, address, batch.lookup_time) if has_return else None
                print("VM %d %s" % (session.owner(owner).vm, symbol.name if symbol else "?"))
            guest = e.kind == csguest.EXCEPTION and session.owner(e.owner).world == "guest"
            last = (e.owner, e.has_return, e.end) if guest else None

-- SPDX-License-Identifier: BSD-3-Clause
-- States of vCPUs by the host's switch records: csguest timeline, its last table
SELECT vm, vcpu, tid, state, sum(end_ns - begin_ns) AS ns
FROM state GROUP BY vm, vcpu, tid, state ORDER BY vm, vcpu, ns DESC;

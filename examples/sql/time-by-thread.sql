-- SPDX-License-Identifier: BSD-3-Clause
-- CPU time of the host's threads, what their guests ran apart: csguest timeline --by thread --totals
SELECT owner.pid, owner.tid, owner.command, sum(end_ns - begin_ns) AS ns
FROM segment JOIN owner ON owner.id = segment.owner
WHERE world = 'host'
GROUP BY owner.pid, owner.tid, owner.command ORDER BY ns DESC;

-- SPDX-License-Identifier: BSD-3-Clause
-- What ran on each CPU at a time (:t, ns; by default in the middle): csguest timeline --by thread, its row of
-- then
SELECT stream.cpu, world, owner.vm, owner.vcpu, owner.pid, owner.tid, lost
FROM segment JOIN stream ON stream.id = segment.stream LEFT JOIN owner ON owner.id = segment.owner,
	(SELECT coalesce(:t, (max(end_ns) + min(begin_ns)) / 2) AS at FROM segment)
WHERE begin_ns <= at AND at < end_ns ORDER BY stream.cpu;

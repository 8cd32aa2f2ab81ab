-- SPDX-License-Identifier: BSD-3-Clause
-- The longest times that a vCPU was preempted, and who was on the host's CPUs then; no command shows it
SELECT state.vm, state.vcpu, state.begin_ns, state.end_ns - state.begin_ns AS ns,
	group_concat(DISTINCT owner.command || ' ' || owner.tid) AS ran
FROM state JOIN segment ON segment.begin_ns < state.end_ns AND segment.end_ns > state.begin_ns
	JOIN owner ON owner.id = segment.owner
WHERE state = 'preempted' GROUP BY state.vm, state.vcpu, state.begin_ns ORDER BY ns DESC LIMIT 10;

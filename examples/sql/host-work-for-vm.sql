-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions that the host ran on threads of vCPUs: csguest report --by world,tid, of those threads
SELECT vcpu.vm, vcpu.vcpu, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner JOIN vcpu ON vcpu.tid = owner.tid
WHERE world = 'host'
GROUP BY vcpu.vm, vcpu.vcpu ORDER BY instructions DESC;

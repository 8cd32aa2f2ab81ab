-- SPDX-License-Identifier: BSD-3-Clause
-- CPU time of guests by vCPU and the host's thread that runs it: csguest timeline --by vcpu --totals
SELECT owner.vm, owner.vcpu, owner.host_tid, sum(end_ns - begin_ns) AS ns
FROM segment JOIN owner ON owner.id = segment.owner
WHERE world = 'guest'
GROUP BY owner.vm, owner.vcpu, owner.host_tid ORDER BY ns DESC;

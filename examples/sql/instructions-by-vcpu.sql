-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions of guests by vCPU: csguest report --by world,vm,vcpu
SELECT owner.vm, owner.vcpu, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner
WHERE world = 'guest'
GROUP BY owner.vm, owner.vcpu ORDER BY instructions DESC;

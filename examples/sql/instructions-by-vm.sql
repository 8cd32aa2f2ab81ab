-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions by VM, 0 the host, with the reason where the VM is unknown: csguest report --by vm
SELECT owner.vm, iif(owner.vm IS NULL, reason, NULL) AS why, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner
GROUP BY 1, 2 ORDER BY instructions DESC;

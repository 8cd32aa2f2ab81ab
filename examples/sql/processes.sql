-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions by process, host and guests: csguest report --by vm,process
SELECT owner.vm, process, pid, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner
GROUP BY owner.vm, process, pid ORDER BY instructions DESC;

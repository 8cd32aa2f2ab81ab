-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions by thread, host and guests: csguest report --by vm,comm,tid
SELECT owner.vm, counted.command, owner.tid, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner
GROUP BY owner.vm, counted.command, owner.tid ORDER BY instructions DESC;

-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions by world: csguest report --by world
SELECT world, sum(instructions) AS instructions, sum(branches) AS branches
FROM counted JOIN owner ON owner.id = counted.owner
GROUP BY world ORDER BY instructions DESC;

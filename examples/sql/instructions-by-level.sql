-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions by exception level: csguest report --by world,el
SELECT world, el, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner
GROUP BY world, el ORDER BY instructions DESC;

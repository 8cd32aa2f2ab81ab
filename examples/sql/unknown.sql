-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions of which something is unknown, and why: csguest report --by reason
SELECT reason, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner
GROUP BY reason ORDER BY instructions DESC;

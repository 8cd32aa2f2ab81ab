-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions by what shows who ran them: csguest report --by evidence
SELECT coalesce(evidence, 'none') AS evidence, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner
GROUP BY evidence ORDER BY instructions DESC;

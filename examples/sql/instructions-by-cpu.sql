-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions by CPU: csguest report --by cpu
SELECT cpu, sum(instructions) AS instructions FROM counted GROUP BY cpu ORDER BY instructions DESC;

-- SPDX-License-Identifier: BSD-3-Clause
-- CPU time by world, losses of trace apart: csguest timeline --by world --totals
SELECT world, lost, sum(end_ns - begin_ns) AS ns
FROM segment LEFT JOIN owner ON owner.id = segment.owner
GROUP BY world, lost ORDER BY ns DESC;

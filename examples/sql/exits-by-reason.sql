-- SPDX-License-Identifier: BSD-3-Clause
-- Why guests were left, and how long until they were entered again: csguest exits --by reason
SELECT iif(privilege = 'user', 'EL0', 'EL1') AS level, exception, handler, fast, count(*) AS exits,
	sum(end_ns - begin_ns) AS ns, max(end_ns - begin_ns) AS longest
FROM exit GROUP BY level, exception, handler, fast ORDER BY ns DESC;

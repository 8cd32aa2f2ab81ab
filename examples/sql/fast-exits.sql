-- SPDX-License-Identifier: BSD-3-Clause
-- Exits that the fast path handled, which no tracepoint shows: csguest exits, path fast
SELECT handler, count(*) AS exits, sum(end_ns - begin_ns) AS ns
FROM exit WHERE fast GROUP BY handler ORDER BY exits DESC;

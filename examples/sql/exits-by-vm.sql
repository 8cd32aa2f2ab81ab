-- SPDX-License-Identifier: BSD-3-Clause
-- Exits and their time by VM and handler: csguest exits --by vm
SELECT vm, handler, count(*) AS exits, sum(end_ns - begin_ns) AS ns
FROM exit GROUP BY vm, handler ORDER BY ns DESC;

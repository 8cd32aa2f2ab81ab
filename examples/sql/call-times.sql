-- SPDX-License-Identifier: BSD-3-Clause
-- Time of each outermost entry of the call chains, all it called included: csguest flame --folded --by time
WITH RECURSIVE inside(top, id) AS (
	SELECT id, id FROM call WHERE kind = 'thread' AND parent IS NULL
	UNION ALL
	SELECT top, call.id FROM call JOIN inside ON call.parent = inside.id)
SELECT thread.name, sum(call.ns) AS ns
FROM inside JOIN call ON call.id = inside.id JOIN call AS thread ON thread.id = top
GROUP BY top ORDER BY ns DESC;

-- SPDX-License-Identifier: BSD-3-Clause
-- Call chains with the instructions at their end: csguest flame --folded --by instructions
WITH RECURSIVE chain(id, text, instructions) AS (
	SELECT id, name, instructions FROM call WHERE parent IS NULL
	UNION ALL
	SELECT call.id, chain.text || ';' || call.name, call.instructions
	FROM call JOIN chain ON call.parent = chain.id)
SELECT text, instructions FROM chain WHERE instructions ORDER BY text;

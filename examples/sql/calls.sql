-- SPDX-License-Identifier: BSD-3-Clause
-- How often each function was called: csguest flame --folded --by calls, added up
SELECT name, sum(calls) AS calls FROM call WHERE kind = 'function'
GROUP BY name HAVING sum(calls) ORDER BY calls DESC;

-- SPDX-License-Identifier: BSD-3-Clause
-- What is missing in the trace: csguest report --format json, gaps
SELECT kind, sum(places) AS places FROM loss GROUP BY kind ORDER BY places DESC;

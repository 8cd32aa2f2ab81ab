-- SPDX-License-Identifier: BSD-3-Clause
-- Files whose code was needed, but was not there: csguest report, its last lines
SELECT vm, path, places FROM missing ORDER BY places DESC;

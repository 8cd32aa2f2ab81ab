-- SPDX-License-Identifier: BSD-3-Clause
-- Exits in which guests waited for an interrupt: csguest exits, its line "idle"
SELECT count(*) AS exits, sum(end_ns - begin_ns) AS ns FROM exit WHERE idle;

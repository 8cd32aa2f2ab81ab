-- SPDX-License-Identifier: BSD-3-Clause
-- Exits that the guest's own idling (WFI, WFE) did not cause, by vCPU: csguest exits --by vcpu
SELECT vm, vcpu, count(*) AS exits, sum(end_ns - begin_ns) AS ns
FROM exit WHERE NOT idle GROUP BY vm, vcpu ORDER BY ns DESC;

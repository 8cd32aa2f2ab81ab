-- SPDX-License-Identifier: BSD-3-Clause
-- Who ran while vCPUs of a VM were preempted: csguest summary --format json, ran_instead
SELECT vm, tid, ns FROM ran_instead ORDER BY vm, ns DESC;

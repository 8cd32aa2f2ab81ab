-- SPDX-License-Identifier: BSD-3-Clause
-- CPU time of guests by VM: csguest timeline --by vm --totals
SELECT vm.id, vm.name, sum(end_ns - begin_ns) AS ns, sum(instructions) AS instructions
FROM segment JOIN owner ON owner.id = segment.owner LEFT JOIN vm ON vm.id = owner.vm
WHERE world = 'guest'
GROUP BY vm.id ORDER BY ns DESC;

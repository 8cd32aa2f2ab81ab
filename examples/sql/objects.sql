-- SPDX-License-Identifier: BSD-3-Clause
-- Instructions by program, library or kernel: csguest report --by vm,dso
SELECT owner.vm, symbol.object, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner LEFT JOIN symbol ON symbol.id = counted.symbol
GROUP BY owner.vm, symbol.object ORDER BY instructions DESC;

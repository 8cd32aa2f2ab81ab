-- SPDX-License-Identifier: BSD-3-Clause
-- Functions with most instructions, of host and guests: csguest report --by world,vm,dso,symbol
SELECT world, owner.vm, object, name, sum(instructions) AS instructions
FROM counted JOIN owner ON owner.id = counted.owner LEFT JOIN symbol ON symbol.id = counted.symbol
GROUP BY world, owner.vm, object, name ORDER BY instructions DESC;

#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What bash offers for csguest: each command, each option, each value that --help lists.
. "$(dirname "$0")/lib.sh"
. "$TOP/command/csguest.bash"

# offers WORD...: what is offered for the last of them, sorted, in one line.
offers() {
	COMP_WORDS=(csguest "$@") COMP_CWORD=$#
	_csguest "$CSGUEST" "${!#}" "${COMP_WORDS[$# - 1]}" 2>/dev/null
	printf '%s\n' "${COMPREPLY[@]}" | sort | xargs
}

is "a command is completed" "report" "$(offers rep)"
is "those that begin alike are offered" "exits explain export" "$(offers ex)"
"$CSGUEST" --help | sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p' >"$T/commands"
for command in $(cat "$T/commands"); do
	"$CSGUEST" "$command" --help | grep -oE '^ .{5}--[a-z-]+' | grep -oE '[-]-[a-z-]+' | sort | xargs >"$T/options"
	is "every option of $command is offered" "$(cat "$T/options")" "$(offers "$command" -)"
done
is "an option that is begun is completed" "--hypervisor" "$(offers report --hyp)"
is "values are offered" "auto kvm-nvhe kvm-vhe none pkvm unknown xen" "$(offers report --hypervisor '')"
is "also of a short option" "dso" "$(offers report -b ds)"
is "also after an equals sign" "csv" "$(offers report --format = c)"
is "and right after it" "csv folded json text" "$(offers report --format =)"
is "nothing but files is offered for an operand" "" "$(offers report perf)"
is "nor for an option that takes a file" "" "$(offers report --input '')"

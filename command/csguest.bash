# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# Completion of csguest for bash.  Commands, options and the values of options that have a list of
# them come from the command's own --help, which its option tables make: whatever version is
# installed completes its own options.

# _csguest_commands PROGRAM
_csguest_commands() { "$1" --help 2>/dev/null | sed -n '/^Commands:/,$s/^  \([a-z]*\)  *.*/\1/p'; }

# _csguest_entries PROGRAM COMMAND: a line for each option: "OPTION[ ARGUMENT]: TEXT".
_csguest_entries() {
	"$1" "$2" --help 2>/dev/null | sed -n '/^[A-Z][a-z ]*:$/,$p' | awk '
		/^ (  |.-).*--[a-z]/ { if (entry) print entry; entry = $0; next }
		/^ +[^ ]/ { if (entry) entry = entry " " $0; next }
		{ if (entry) print entry; entry = "" }
		END { if (entry) print entry }' | sed -E 's/^ *(-[A-Za-z0-9], )? *//; s/ +/ /g'
}

# _csguest_values PROGRAM COMMAND OPTION: the words it may be given, as its help lists them after
# the last colon.
_csguest_values() {
	_csguest_entries "$1" "$2" | awk -v option="$3" '
		$1 == option && sub(/^.*: /, "") && /^[a-z-]+(, [a-z-]+)+$/ { gsub(/,/, ""); print }'
}

_csguest() {
	local program=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} letter
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_csguest_commands "$program") --help --version" -- "$word")
		return
	fi
	# "--format=csv" is three words for bash.
	if [ "$word" = = ]; then
		word=
	elif [ "$before" = = ]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	[ "${COMP_WORDS[COMP_CWORD]}" != = ] || before=${COMP_WORDS[COMP_CWORD - 1]}
	case $before in
	--*) mapfile -t COMPREPLY < <(compgen -W "$(_csguest_values "$program" "$command" "$before")" -- "$word") ;;
	-[a-zA-Z])
		letter=$("$program" "$command" --help 2>/dev/null | sed -nE "s/^ *$before, (--[a-z-]+).*/\1/p")
		mapfile -t COMPREPLY < <(compgen -W "$(_csguest_values "$program" "$command" "${letter:---}")" -- "$word")
		;;
	esac
	[ ${#COMPREPLY[@]} -eq 0 ] || return
	case $word in
	-*) mapfile -t COMPREPLY < <(compgen -W "$(_csguest_entries "$program" "$command" | sed -E 's/^(--[a-z-]+).*/\1/')" -- "$word") ;;
	*) compopt -o default 2>/dev/null ;; # a file
	esac
}
complete -F _csguest csguest

#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --help of the command and of each of its commands, and the manual: the same commands, the same
# options.  Options that all commands share are in csguest(1), those of one command on its own page.
. "$(dirname "$0")/lib.sh"

ok "csguest --help succeeds" "$CSGUEST" --help
cp "$T/out" "$T/help"
exits 2 "no command at all is wrong use" "$CSGUEST"
exits 2 "an unknown command is wrong use" "$CSGUEST" no-such-command
hasnt "and like no other" 'did you mean' "$T/err"
exits 2 "a command that is misspelt is none" "$CSGUEST" reprot
has "but one is like it" "^csguest: no command and no recording 'reprot'; did you mean 'report'\?$" "$T/err"
exits 2 "neither has it a help" "$CSGUEST" help timelin
has "and one is like it" "^csguest: no command 'timelin'; did you mean 'timeline'\?$" "$T/err"
# An option that is cut would become another one when a new option begins like it.
exits 2 "an option that is cut is none" "$CSGUEST" report --vmli 136
has "but one begins so" "^csguest report: unknown option '--vmli'; did you mean '--vmlinux'\?$" "$T/err"
exits 2 "nor is a key" "$CSGUEST" report --by world,symbl /dev/null
has "but one is like it" "^csguest report: --by: no key 'symbl'; did you mean 'symbol'\?$" "$T/err"
exits 2 "a key that comes twice" "$CSGUEST" report --by vm,world,vm /dev/null
has "is named" "^csguest report: --by: 'vm' comes twice$" "$T/err"
exits 2 "nor is a key in perf's options" "$CSGUEST" report -F overhead,symbl /dev/null
has "whose name the message has" "^csguest report: -F: no key 'symbl'; did you mean 'symbol'\?$" "$T/err"
exits 2 "as that of --sort" "$CSGUEST" report --sort symbl /dev/null
has "too" "^csguest report: --sort: no key 'symbl'" "$T/err"
exits 2 "where none is like it" "$CSGUEST" report --by none /dev/null
has "all are named" "no key 'none'; there are world, el, vm, .*, thread$" "$T/err"
# Some options have two names.
for words in "--cpu x" "-C x" "--comms a,," "--comm a,," "-S ,"  "--cpu 0 --vcpu x"; do
	# shellcheck disable=SC2086
	exits 2 "nonsense for ${words% *}" "$CSGUEST" report $words /dev/null
	option=${words% *} option=${option##* }
	has "is refused by the name that was used" "^csguest report: $option takes " "$T/err"
done
exits 2 "nor is a field" "$CSGUEST" script -F ip,symbl /dev/null
has "but one is like it" "no field 'symbl'; did you mean 'sym'\?$" "$T/err"
# The address sanitizer reports what is not freed.
for words in "export" "export --csv - --chrome -" "export --no-such-option" "flame --min-percent x" "inject" "explain" \
	"report --no-such-option" "exits --no-such-option" "info --no-such-option"; do
	# shellcheck disable=SC2086
	exits 2 "$words: options that were read before the mistake are freed" "$CSGUEST_SAN" ${words%% *} --guest a,pid=1 --vcpu 1=2:3 $([ "$words" = "${words#* }" ] || echo "${words#* }")
	has "$words: and the mistake is named" '^csguest ' "$T/err"
done
ok "csguest --version succeeds" "$CSGUEST" --version
is "and says the version" "csguest $(sed -nE 's/^#define CSG_VERSION_(MAJOR|MINOR|PATCH) //p' "$TOP/include/csguest/version.h" | paste -sd.)" "$(cat "$T/out")"

# help_options FILE: "-i --input FILE" for each option of a --help text, without --help itself.
help_options() {
	sed -nE 's/^  (    |(-[a-zA-Z]), )(--[a-z0-9-]+)(.*)/\2 \3\4/p' "$1" |
		sed -E 's/^ //; s/(--[a-z0-9-]+)( [^ ]+|\[=[^ ]*\])?(  .*)?$/\1\2/' | grep -v -- '--help$' | sort
}
# man_options PAGE: the same of a page's lines
#	.It Fl i , Fl -input Ar FILE
#	.It Fl -itrace Ns Oo = Ns Ar OPTIONS Oc
man_options() {
	awk '/^\.It Fl / {
		line = ""
		for (i = 2; i <= NF; i++) {
			if ($i == "Fl") { i++; line = line (line == "" ? "-" : " -") $i }
			else if ($i == "Oo") line = line "["
			else if ($i == "Oc") line = line "]"
			else if ($i == "=") line = line "="
			else if ($i == "Ar") { i++; line = line (line ~ /=$/ ? "" : " ") $i }
			else if ($i != "," && $i != "Ns") line = line " " $i
		}
		print line
	}' "$1" | sort
}
commands=$(sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p' "$T/help")
man_options "$TOP/docs/man/csguest.1" >"$T/common"
for command in $commands; do
	page=$TOP/docs/man/csguest-$command.1
	ok "csguest $command --help succeeds" "$CSGUEST" "$command" --help
	cp "$T/out" "$T/help.$command"
	exits 2 "csguest $command refuses an unknown option" "$CSGUEST" "$command" --no-such-option
	has "and points to its help" "try 'csguest $command --help'" "$T/err"
	ok "csguest help $command is the same as csguest $command --help" "$CSGUEST" help "$command"
	same "to the letter" "$T/help.$command" "$T/out"
	help_options "$T/help.$command" >"$T/help.options"
	if ok "csguest-$command(1) is there" test -f "$page"; then
		comm -12 "$T/common" "$T/help.options" >"$T/shared"
		man_options "$page" | sort -m - "$T/shared" | uniq >"$T/man.options"
		cat "$T/shared" >>"$T/used"
		same "options of csguest $command: <: --help, >: csguest-$command(1) and csguest(1)" "$T/help.options" "$T/man.options"
	fi
	has "csguest(1) refers to csguest-$command(1)" "^\.Xr csguest-$command 1" "$TOP/docs/man/csguest.1"
done
if [ -s "$T/common" ]; then
	sort "$T/used" | uniq -d >"$T/twice"
	same "every option of csguest(1) is shared by commands" "$T/common" "$T/twice"
fi
for page in "$TOP"/docs/man/csguest-*.1; do
	[ -f "$page" ] || continue
	command=$(basename "$page" .1)
	has "$command(1) describes a command there is" "^${command#csguest-}\$" <(echo "$commands")
done

# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2054
#
# What the golden script runs on a recording: golden.sh sources this file.

# Every view, in the order in which they run.
VIEWS="info packets csv jsonl report summary exits timeline offsets verify dump flame script explain"

# view_command VIEW: sets $command to its arguments; the options and the recording follow them.
view_command() {
	case $1 in
	info) command=(info --json) ;;
	packets) command=(dump --packets) ;;
	csv) command=(export --csv -) ;;
	jsonl) command=(export --jsonl -) ;;
	report) command=(report --by world,vm,vcpu,pid,tid,el,evidence,reason --format csv) ;;
	summary) command=(summary --format json) ;;
	exits) command=(exits --format json) ;;
	timeline) command=(timeline --by owner --format json) ;;
	offsets) command=(offsets --json) ;;
	verify) command=(verify --details) ;;
	dump) command=(dump) ;;
	flame) command=(flame --format folded) ;;
	script) command=(script) ;;
	explain) command=(explain) ;;
	*) return 1 ;;
	esac
}

# Which kinds of cases run with which engine, threads and views: KIND ENGINE THREADS VIEWS.
# Where the output cannot depend on engine and threads, one run is enough.
#
#   main    a recording with all its files
#   small   a scenario
#   alone   a recording without the guests' files
#   less    a recording of which something was taken away
#   varied  a scenario under another model of the hardware
runs() {
	if [ "${QUICK-}" = csv ]; then
		printf '%s fast 1 csv\n' main alone
	elif [ -n "${QUICK-}" ]; then
		cat <<-'END'
			main fast 1 info csv report summary exits timeline offsets verify dump flame explain
			main fast 2 report
			small fast 1 info csv report exits timeline offsets verify dump flame script explain
			small opencsd 1 dump
			varied fast 1 dump
		END
	else
		cat <<-'END'
			main fast 1 info packets csv jsonl report summary exits timeline offsets verify dump flame script explain
			main fast 2 csv report summary exits timeline offsets verify dump flame explain
			main opencsd 1 csv report summary exits timeline offsets verify dump flame script
			main opencsd 2 csv report exits timeline offsets verify dump flame
			small fast 1 info packets csv jsonl report summary exits timeline offsets verify dump flame script explain
			small fast 2 csv report exits timeline offsets verify dump flame script explain
			small opencsd 1 csv report exits timeline offsets verify dump flame script explain
			small opencsd 2 csv report exits timeline offsets verify dump flame script explain
			alone fast 2 report dump flame
			alone opencsd 1 csv report exits timeline offsets
			less fast 1 csv report timeline offsets verify
			varied fast 1 report dump
		END
	fi
}

# runs_kind KIND: whether anything runs on such cases.
runs_kind() { runs | grep -q "^$1 "; }

# places KIND: how many places each kind of case has explained, over all its runs.
places() {
	case $1-${QUICK-} in
	*-csv) echo 0 ;;
	main-) echo 200 ;;
	small-) echo 40 ;;
	main-*) echo 8 ;;
	small-*) echo 4 ;;
	*) echo 0 ;;
	esac
}

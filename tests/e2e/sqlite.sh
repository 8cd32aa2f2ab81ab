#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# csguest export --sqlite: sqlite3 reads the database, and the published queries (examples/sql) say
# what the commands say of the same recording.
. "$(dirname "$0")/lib.sh"

need sqlite3 jq
two=$T/two queries=$TOP/examples/sql
mkdir -p "$two"
tar --zstd -C "$two" -xf "$TRACES/two-guests/two-guests.tar.zst"
options=(--symfs "$two/symfs" --guestmount "$two/guestmount")
for vm in 136 138; do options+=(--guest "g$vm,pid=$vm,perf=$two/guest-$vm.data"); done
# csguest COMMAND OPTION...: of the recording with its guests; code is missing, as the vDSO is.
csguest() { "$CSGUEST" "$1" -q "${options[@]}" "${@:2}" "$two/perf.data"; }

ok "a recording becomes a database" "$CSGUEST_SAN" export -q "${options[@]}" --sqlite "$T/two.db" "$two/perf.data"
is "which SQLite finds whole" ok "$(sqlite3 "$T/two.db" 'pragma integrity_check')"
is "it says the version of its schema" "1|1" "$(sqlite3 "$T/two.db" "select user_version, value from pragma_user_version, meta where key = 'schema'")"
# The page lists every table and column that there is.
sqlite3 "$T/two.db" "select m.name || ' ' || c.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'" | sort >"$T/seen"
awk '/^\.It Sy / { table = $3 } /^\.It Va / { for (i = 3; i <= NF; i++) if ($i != ",") print table, $i }' "$TOP/docs/man/csguest-sqlite.5" | sort >"$T/documented"
same "csguest-sqlite(5) documents every column" "$T/seen" "$T/documented"

asked=0
# query NAME < EXPECTED: the query's rows, in any order, are those: columns by tabs, nothing where a
# value is unknown.
query() {
	sort >"$T/expected"
	sqlite3 -bail -tabs "$T/two.db" <"$queries/$1.sql" 2>&1 | sort >"$T/seen"
	same "$1: $(sed -n '2s/^-- //p' "$queries/$1.sql")" "$T/expected" "$T/seen"
	asked=$((asked + 1))
}
# rows COMMAND OPTION... -- FILTER: what jq makes of the command's JSON: an array becomes a line.
rows() {
	local args=()
	while [ "$1" != -- ]; do args+=("$1") && shift; done
	csguest "${args[@]}" --format json | jq -r "$2 | @tsv"
}
report() { rows report --by "$1" -- ".rows[] | $2"; }
totals() { rows timeline --totals --by "$1" -- ".totals[] | $2"; }
# added COLUMN: lines with equal fields but that one (from 1) become one, with its sum.
added() {
	awk -F'\t' -v OFS='\t' -v c="$1" '{ n = $c; $c = "\001"; sum[$0] += n }
		END { for (k in sum) { line = k; sub("\001", sum[k], line); print line } }'
}

query instructions-by-world < <(report world '[.world, .instructions, .branches]')
query instructions-by-vm < <(report vm '[.vm, .reason, .instructions]')
query instructions-by-vcpu < <(report world,vm,vcpu 'select(.world == "guest") | [.vm, .vcpu, .instructions]')
query instructions-by-level < <(report world,el '[.world, (.el // "" | tostring | ltrimstr("EL")), .instructions]')
query processes < <(report vm,process '[.vm, .process, .pid, .instructions]' | added 4)
query threads < <(report vm,comm,tid '[.vm, .comm, .tid, .instructions]' | added 4)
query objects < <(report vm,dso '[.vm, .dso, .instructions]' | added 3)
query functions < <(report world,vm,dso,symbol '[.world, .vm, .dso, .symbol, .instructions]' | added 5)
query instructions-by-cpu < <(report cpu '[.cpu, .instructions]')
query unknown < <(report reason '[.reason, .instructions]')
query evidence < <(report evidence '[.evidence, .instructions]' | added 2)
query host-work-for-vm < <(report world,vm,pid,tid 'select(.world == "host" and (.tid == 143 or .tid == 144)) | [{"143": 138, "144": 136}[.tid | tostring], 0, .instructions]')
query time-by-world < <(totals world '[.world, .lost, .time]')
query time-by-vm < <(totals vm 'select(.world == "guest") | [.vm, .guest, .time, .instructions]')
query time-by-vcpu < <(totals vcpu 'select(.world == "guest") | [.vm, .vcpu, .host_tid, .time]')
query time-by-thread < <(totals thread 'select(.world == "host") | [.pid, .tid, .comm, .time]' | added 4)
middle=$(sqlite3 "$T/two.db" 'select (max(end_ns) + min(begin_ns)) / 2 from segment')
query ran-at < <(rows timeline --by thread -- ".rows[] | select(.begin <= $middle and .end > $middle) | [.cpu, .world, .vm, .vcpu, .pid, .tid, .lost]")
query exits-by-reason < <(rows exits --by reason -- '.rows[] | [.from, .exception, .handler, (if .fast then 1 else 0 end), .exits, .time, .max]')
query exits-by-vm < <(rows exits --by vm -- '.rows | group_by([.vm, .handler])[] | [.[0].vm, .[0].handler, (map(.exits) | add), (map(.time) | add)]')
query exits-by-vcpu < <(rows exits --by vcpu -- '.rows | map(select(.idle | not)) | group_by([.vm, .vcpu])[] | [.[0].vm, .[0].vcpu, (map(.exits) | add), (map(.time) | add)]')
query idle < <(csguest exits | sed -nE 's/^# idle: ([0-9]+) of these exits, ([0-9]+) ns.*/\1\t\2/p')
query fast-exits < <(rows exits --by reason -- '.rows | map(select(.fast)) | group_by(.handler)[] | [.[0].handler, (map(.exits) | add), (map(.time) | add)]')
query vcpu-states < <(rows timeline --totals -- '.vcpus[] | . as $v | ["running", "preempted", "runnable", "halted", "asleep", "blocked", "no_reason", "no_record"][] | select($v[.] > 0) | [$v.vm, $v.vcpu, $v.host_tid, ., $v[.]]')
query ran-instead < <(rows summary -- '.groups[] | .vm as $vm | .ran_instead[]? | [$vm, .tid, .time]')
query call-chains < <(csguest flame --folded --by instructions | sed -E 's/_\[[a-z]+\](;| )/\1/g; s/ ([0-9]+)$/\t\1/')
query call-times < <(csguest flame --folded --by time | sed -E 's/^([^;]*).* ([0-9]+)$/\1\t\2/' | added 2)
query calls < <(csguest flame --folded --by calls | sed -E 's/^(.*;)?([^;]*) ([0-9]+)$/\2\t\3/; s/_\[[a-z]+\]\t/\t/' | added 2)
query losses < <(rows report -- '.gaps | to_entries[] | [.key, .value]')
query missing-files < <("$CSGUEST" report "${options[@]}" "$two/perf.data" 2>&1 >/dev/null |
	sed -nE 's/.*code is missing: ([^ ,]+)( of VM ([0-9]+))?,.* needed ([0-9]+) times.*/\3\t\1\t\4/p' | sed 's/^\t/0\t/')
has "a query that no command answers names who ran while a vCPU was preempted" '^13[68]\|0\|[0-9]+\|[0-9]+\|.*CPU 0/KVM' \
	<(sqlite3 "$T/two.db" <"$queries/longest-preemptions.sql")
is "each published query was asked" "$(find "$queries" -name '*.sql' | wc -l)" "$((asked + 1))"

# Times that are not known are NULL: a recording without timestamps' conversion has none.
use_fixture
one_guest export --sqlite "$T/one.db"
is "of a recording with times, all segments have one" 0 "$(sqlite3 "$T/one.db" 'select count(*) from segment where begin_ns is null')"
ok "a file that exists is replaced with --force only" "$CSGUEST_SAN" export -q --force "${options[@]}" --sqlite "$T/two.db" "$two/perf.data"
exits 2 "else it is refused" "$CSGUEST_SAN" export --sqlite "$T/two.db" "$two/perf.data"
exits 2 "what cannot be sought in is refused" "$CSGUEST_SAN" export --sqlite - "$fixture/perf.data"
has "with the reason" 'sqlite needs a file that can be sought in' "$T/err"
if [ -w /dev/full ]; then
	exits 2 "so is a device" "$CSGUEST_SAN" export --sqlite /dev/full "$fixture/perf.data"
fi
# A full disk: no file is left.
limited() { (ulimit -f 64 && trap '' XFSZ && "$@"); }
exits 4 "a file that cannot be written whole is an error" limited "$CSGUEST" export -q "${options[@]}" --sqlite "$T/full.db" "$two/perf.data"
has "that is reported" 'full.db: cannot be written' "$T/err"
is "and no part of it is left" "" "$(ls "$T"/full.db* 2>/dev/null)"

# Names may be hidden.
"$CSGUEST" export -q "${options[@]}" --anonymise --sqlite "$T/hidden.db" "$two/perf.data"
hasnt "an anonymous database holds no name" 'msort_with_tmp|g136|answerer|/bin/chat|qemu' <(sqlite3 "$T/hidden.db" .dump)

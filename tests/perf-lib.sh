# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# What the tests of the patched perf (perf-patches/) source after lib.sh.  They run where `make
# check` or `make perf-all` has built it:
#
#	SERIES           those of which both build/perf-SERIES and build/perf-SERIES-stock are there; of them PERF_BASE
#	                 alone, where that is set
#	PERFS            the folder of patched perf: of that with the sanitizer, for tests that take it, where
#	                 SANITIZE says which (make perf SANITIZE=address)
#	unpack NAME      a packed recording of traces/, below $T/NAME
#	inject_guests    puts its guests' recordings into the host's

SERIES=
PERFS=$BUILD${SANITIZE:+/$SANITIZE}
for folder in "$TOP"/perf-patches/[0-9]*/; do
	folder=$(basename "$folder")
	[ "$folder" = "${PERF_BASE:-$folder}" ] || continue
	[ -x "$PERFS/perf-$folder" ] && [ -n "${SANITIZE-}" -o -x "$BUILD/perf-$folder-stock" ] && SERIES="$SERIES $folder"
done
[ -n "$SERIES" ] || skip_all "no patched perf (e2e/perf-built says why)"
# No pager, no colours, nothing of the user's.
export PERF_PAGER=cat PERF_CONFIG=/dev/null TERM=dumb

unpack() {
	[ -f "$TRACES/$1/$1.tar.zst" ] || skip_all "no recording $1"
	mkdir -p "$T/$1" && tar --zstd -xf "$TRACES/$1/$1.tar.zst" -C "$T/$1"
}

# inject_guests SERIES NAME true|false OUT [PERF-DATA].  perf is given what to take from the guests'
# counters to get the host's: -CNTVOFF_EL2, as an unsigned number, or, if given a lie, nothing.
inject_guests() {
	local vm offset from=${5:-$T/$2/perf.data}
	rm -rf "$4"
	while IFS=' =' read -r _ _ vm _ offset; do
		[ -e "$T/$2/guest-$vm.data" ] || continue # a guest without an operating system
		[ "$3" = true ] || offset=0
		ok "$1: $2: guest $vm is injected with a $3 offset" "$BUILD/perf-$1" inject -f -i "$from" \
			--guest-data="$T/$2/guest-$vm.data,$vm,$(printf %u $((-offset)))" -o "$4.$vm"
		from=$4.$vm
	done < <(zstdcat -f "$T/$2/truth" | grep -aE '^machine vm=[0-9]+ cntvoff=')
	mv "$from" "$4"
	rm -rf "$4".*
}

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reports a recording in shards, as many at a time as there are cores, by GNU parallel:
#
#	shards.sh SHARDS RECORDING [OPTION...]	options of csguest that say what files there are: --guest, --symfs ...
#
# With parallel's --sshlogin the shards run on other machines that see the same files.
set -eu
shards=$1 recording=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

csguest prepare -q -o "$dir/facts" "$@" "$recording"
seq "$shards" | parallel --quote csguest report -q --shard "{}/$shards" --facts "$dir/facts" \
	-o "$dir/part.{}" "$@" "$recording"
csguest merge "$dir"/part.*

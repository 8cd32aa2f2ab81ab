#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The Python package follows the headers, its examples print what those in C do, and its errors are
# exceptions. Takes 15 s.
. "$(dirname "$0")/lib.sh"
PYTHON=/usr/bin/python3
[ -x $PYTHON ] || skip_all "no python3"
need pkg-config

install_stage
export PYTHONPATH=$TOP/python PYTHONDONTWRITEBYTECODE=1 CSGUEST_LIBRARY=$stage/usr/local/lib/libcsguest.so
# python TEXT...: runs it.
python() { $PYTHON -c "$@"; }

# Sizes of the structs and offsets of their members, by the compiler.
python '
from csguest.layout import STRUCTS
print("#include <stdio.h>")
for header in "session", "element", "owner", "symbol", "recording", "diag", "filter":
    print("#include <csguest/%s.h>" % header)
print("int main(void)\n{")
for name, struct in STRUCTS.items():
    if name != "csg_source":
        print("printf(\"%s %%zu\\n\", sizeof(struct %s));" % (name, name))
    for field in struct._fields_:
        print("printf(\"%s.%s %%zu %%zu\\n\", offsetof(struct %s, %s), sizeof(((struct %s *)0)->%s));" %
              (name, field[0], name, field[0], name, field[0]))
print("return 0;\n}")' >"$T/layout.c"
ok "the structs are those of the headers" "${cc[@]}" -std=c11 -Wall -Werror -I"$stage/usr/local/include" -o "$T/layout" "$T/layout.c"
"$T/layout" >"$T/expected"
python '
import ctypes
from csguest.layout import STRUCTS
for name, struct in STRUCTS.items():
    if name != "csg_source":
        print(name, ctypes.sizeof(struct))
    for field in struct._fields_:
        member = getattr(struct, field[0])
        print("%s.%s" % (name, field[0]), member.offset, member.size)' >"$T/seen"
is "many members are compared" true "$([ "$(wc -l <"$T/expected")" -gt 100 ] && echo true)"
same "size and offset of each member agree with the compiler" "$T/expected" "$T/seen"

for source in "$TOP"/python/examples/*.py; do
	[ "$(wc -l <"$source")" -le 30 ] || echo "$source: $(wc -l <"$source") lines"
	[ -f "$TOP/examples/$(basename "$source" .py).c" ] || echo "$source: no such example in C"
done >"$T/offenders"
none "examples have at most 30 lines and are those in C" "$T/offenders"

tar --zstd -C "$T" -xf "$TRACES/two-guests/two-guests.tar.zst"
recording=$T/perf.data
for source in "$TOP"/examples/*.c; do
	name=$(basename "$source" .c)
	case $name in
	calls_per_guest) arguments=(schedule) ;;
	custom_filter) arguments=(136 11.323 11.324) ;;
	who_ran_at) arguments=(11.324) ;;
	*) arguments=() ;;
	esac
	# shellcheck disable=SC2046
	ok "$name is built" "${cc[@]}" -std=c11 -o "$T/$name" "$source" $(pkg-config --cflags --libs csguest) \
		-Wl,-rpath,"$stage/usr/local/lib" ${OPENCSD_LIB:+-L"$OPENCSD_LIB"}
	ok "$name runs" "$T/$name" "$recording" "${arguments[@]}"
	mv "$T/out" "$T/expected"
	ok "$name.py runs" $PYTHON "$TOP/python/examples/$name.py" "$recording" "${arguments[@]}"
	is "$name.py prints something" true "$([ -s "$T/out" ] && echo true)"
	same "$name.py prints what $name does" "$T/expected" "$T/out"
done
"$CSGUEST" report -q --by world,vm --format csv "$recording" |
	awk -F, 'NR > 1 { print $4 " VM " ($5 == "" ? -1 : $5) ": " $2 }' | sort >"$T/expected"
$PYTHON "$TOP/python/examples/instructions_per_vm.py" "$recording" | sort >"$T/seen"
same "instructions_per_vm.py agrees with csguest report" "$T/expected" "$T/seen"

cat >"$T/buffers.py" <<'PYTHON'
import csguest
import sys
recording = sys.argv[1]
assert [csguest.element_name(kind) for kind in (csguest.RANGE, csguest.EXCEPTION, csguest.GAP, csguest.END,
        csguest.RANGES)] == ["range", "exception", "gap", "end", "ranges"]
fields = [field[0] for field in csguest.layout.Element._fields_ if field[0] != "reserved"]
n = 0
with csguest.Session(recording) as session:
    assert session.machines[0] == 0
    for batch in session:
        elements = list(batch)
        n += len(elements)
        assert len(elements) == len(batch) == len(batch.elements)
        view = memoryview(batch.elements)
        assert view.nbytes == 64 * len(batch)
        if n < 20000:
            for field in fields:
                assert list(batch.column(field)) == [getattr(e, field) for e in elements], field
        assert batch.column("start").readonly
    assert session.machines == [0, 136, 138], session.machines
    assert {session.owner(e.owner).level for e in elements} <= {-1, 0, 1}
assert n > 100000, n
try:
    session.owner(0)
except csguest.Error as error:
    assert error.code == 2 and "closed" in str(error)
else:
    raise AssertionError("a closed session answers")
for wrong in dict(hypervisor="vhe?"), dict(engine="none"), dict(threads=1000), dict(symfs=None, kernel={"root": None}, engine="x"):
    try:
        csguest.Session(recording, **wrong)
    except csguest.Error as error:
        assert error.code == 2
    else:
        raise AssertionError(wrong)
messages = []
try:
    csguest.Session(recording + ".none", on_message=messages.append)
except csguest.Error as error:
    assert str(error) == "file not found" and error.code == 5
else:
    raise AssertionError("a file that is not there opens")
assert messages and messages[0].severity == 2 and messages[0].file.endswith(".none")
with csguest.Session(recording) as session:
    first = next(session.batches("time"))
    assert len(first)
    try:
        session.owner(1 << 31)
    except csguest.Error:
        pass
    else:
        raise AssertionError("an owner that is not there")
    session.cancel()
    try:
        next(session.batches("time"))
    except csguest.Error as error:
        assert str(error) == "cancelled"
    else:
        raise AssertionError("a cancelled session goes on")
print("all of it holds")
PYTHON
ok "batches are buffers, errors are exceptions" $PYTHON "$T/buffers.py" "$recording"
has "all of it was tried" '^all of it holds$' "$T/out"
exits 1 "a library of another kind is refused" env CSGUEST_LIBRARY=libc.so.6 $PYTHON -c 'import csguest'

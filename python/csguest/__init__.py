# SPDX-License-Identifier: BSD-3-Clause
"""
Decodes CoreSight trace of a host and its guests with libcsguest.

    import csguest

    with csguest.Session("perf.data") as session:
        for batch in session:
            for element in batch:
                if element.kind == csguest.RANGE:
                    print(session.owner(element.owner).vm, hex(element.start), element.instructions)

A batch holds elements of one stream with the same time (csguest_session(3)).  It is valid until
the next batch is pulled: copy what you keep.  batch.column("instructions") is the column as a
buffer, batch.elements all of them; numpy.asarray() takes either without a copy.

Errors of the library are raised as csguest.Error.  The library is libcsguest.so of the system, or
the file that the environment variable CSGUEST_LIBRARY names.
"""
import collections
import ctypes as c
import os

from . import layout

_VERSION = (0, 2)  # of the headers that layout.py follows
# Kinds of elements, in the order of enum csg_element_kind.
(RANGE, RANGE_NOPATH, EXCEPTION, EXCEPTION_RET, CONTEXT, TIMESTAMP, CYCLES, EVENT, MARKER, TRANSACTION,
 INSTRUMENTATION, GAP, END, RANGES, SAMPLE) = range(15)
_USAGE = 2

_lib = c.CDLL(os.environ.get("CSGUEST_LIBRARY", "libcsguest.so.%d" % _VERSION[0]))


def _declare(name, result, *arguments):
    function = getattr(_lib, name)
    function.restype, function.argtypes = result, arguments
    return function


_version = _declare("csg_version", c.c_int, c.POINTER(c.c_char_p))
_strerror = _declare("csg_strerror", c.c_char_p, c.c_int)
_open = _declare("csg_session_open", c.c_int, c.POINTER(c.c_void_p), c.c_char_p,
                 c.POINTER(layout.SessionOptions))
_close = _declare("csg_session_close", None, c.c_void_p)
_cancel = _declare("csg_session_cancel", None, c.c_void_p)
_next = _declare("csg_session_next", c.c_int, c.c_void_p, c.c_int, c.POINTER(layout.Batch), c.c_size_t)
_next_of = _declare("csg_session_next_of", c.c_int, c.c_void_p, c.c_uint32, c.POINTER(layout.Batch),
                    c.c_size_t)
_stream_count = _declare("csg_session_stream_count", c.c_size_t, c.c_void_p)
_stream = _declare("csg_session_stream", c.POINTER(layout.Stream), c.c_void_p, c.c_uint32)
_owner = _declare("csg_session_owner", c.POINTER(layout.Owner), c.c_void_p, c.c_uint32)
_space = _declare("csg_session_space", c.c_void_p, c.c_void_p, c.c_uint32)
_machines = _declare("csg_session_machines", c.c_size_t, c.c_void_p, c.POINTER(c.c_int32), c.c_size_t)
_comm = _declare("csg_session_comm", c.c_char_p, c.c_void_p, c.c_int32, c.c_int32, c.c_uint64)
_symbol_find = _declare("csg_symbol_find", c.c_int, c.c_void_p, c.c_uint64, c.c_uint64,
                        c.POINTER(layout.Symbol), c.c_size_t)
_hypervisor = _declare("csg_hypervisor_parse", c.c_int, c.c_char_p)
_world_name = _declare("csg_world_name", c.c_char_p, c.c_int)
_reason_text = _declare("csg_reason_text", c.c_char_p, c.c_int)
_evidence_text = _declare("csg_evidence_text", c.c_int, c.c_uint32, c.c_char_p, c.c_size_t)
_element_name = _declare("csg_element_name", c.c_char_p, c.c_int)

if _version(None) // 1000 != _VERSION[0] * 1000 + _VERSION[1]:
    raise ImportError("libcsguest is of version %d, not %d.%d" % ((_version(None),) + _VERSION))


class Error(Exception):
    """An error of the library; code is a positive enum csg_error."""

    def __init__(self, code, message=None):
        self.code = abs(code)
        super().__init__(message or _strerror(code).decode())


Owner = collections.namedtuple("Owner", "world privilege reason el evidence vm vcpu pid tid host_tid level nested")
Owner.__doc__ = "Who ran (csguest_owner(3)): world, reason and evidence as text, numbers -1 where not known."
Symbol = collections.namedtuple("Symbol", "name start end dso")
Stream = collections.namedtuple("Stream", "number cpu trace_id queue")
Message = collections.namedtuple("Message", "severity error file offset text remedy")

WORLDS = [_world_name(i).decode() for i in range(5)]


def element_name(kind):
    """The name of an element's kind."""
    return _element_name(kind).decode()


def _path(value):
    return None if value is None else os.fsencode(value)


def _decoded(value):
    return None if value is None else value.decode(errors="backslashreplace")


class Batch:
    """Elements of one stream, in program order, all with the same time; until the next batch."""

    def __init__(self, raw):
        if raw.element_size < c.sizeof(layout.Element):
            raise Error(_USAGE, "elements are too small")
        self.stream, self.time, self._size = raw.stream, raw.time, raw.element_size
        self.lookup_time = raw.lookup_time
        self._bytes = memoryview((c.c_uint8 * (raw.n * raw.element_size)).from_address(
            raw.elements or 0) if raw.n else bytearray()).cast("B").toreadonly()
        self._raw = raw.elements
        self._n = raw.n

    def __len__(self):
        return self._n

    @property
    def elements(self):
        """All elements as an array with named fields, for numpy.asarray(); no copy."""
        if self._size != c.sizeof(layout.Element):
            raise Error(_USAGE, "elements of a newer library: ask for columns")
        if not self._n:
            return (layout.Element * 0)()
        return (layout.Element * self._n).from_address(self._raw)

    def column(self, name):
        """One member of all elements as a buffer; no copy."""
        field = getattr(layout.Element, name)
        code = {1: "B", 4: "I", 8: "Q"}[field.size]
        return self._bytes.cast(code)[field.offset // field.size::self._size // field.size]

    def __iter__(self):
        for i in range(self._n):
            yield layout.Element.from_address(self._raw + i * self._size)


class Session:
    """
    A recording that is decoded.  kernel, only_guest: dict of vmlinux, kcore, kallsyms, root; guests:
    list of dict of name, perf, pid, domain, offset, maps_latest and the four.  cpus, trace_id, vms, vcpus, pids,
    tids, worlds (names), begin_time and end_time (ns) filter what is handed out.  on_message is
    called with each Message of the library.
    """

    def __init__(self, path, hypervisor="auto", engine="fast", threads=1, counts=False, code=True,
                 kernel=None, only_guest=None, guests=(), on_message=None, demangle=True,
                 local_files=True, guestmount=None, kvm_list=None, xen_list=None, symfs=None,
                 buildid_dir=None, tmpdir=None, facts=None, **filters):
        self._session = c.c_void_p()
        self._owners, self._spaces = {}, {}
        self._kept = []
        options = layout.SessionOptions(
            c.sizeof(layout.SessionOptions), counts | (not code) << 1 | (not demangle) << 2 |
            (not local_files) << 3, _hypervisor(hypervisor.encode()),
            {"fast": 0, "opencsd": 1}.get(engine, -1), threads)
        if options.hypervisor < 0:
            raise Error(_USAGE, "no such hypervisor: " + hypervisor)
        options.filter = self._pointer(self._filter(**filters))
        options.kernel = self._pointer(kernel and self._files(**kernel))
        options.only_guest = self._pointer(only_guest and self._files(**only_guest))
        described = (layout.GuestFiles * len(guests))(*(self._guest(**guest) for guest in guests))
        self._kept.append(described)
        options.guests, options.guest_count = described, len(guests)
        for name, value in (("guestmount", guestmount), ("kvm_list", kvm_list), ("xen_list", xen_list),
                            ("symfs", symfs), ("buildid_dir", buildid_dir), ("tmpdir", tmpdir),
                            ("facts", facts)):
            setattr(options, name, _path(value))
        if on_message:
            options.sink = self._pointer(layout.DiagSink(layout.REPORT(
                lambda _, d: on_message(Message(
                    d[0].severity, d[0].error, _decoded(d[0].file), d[0].offset, _decoded(d[0].text),
                    _decoded(d[0].remedy))))))
        self._check(_open(c.byref(self._session), _path(path), c.byref(options)))

    def _pointer(self, struct):
        self._kept.append(struct)
        return c.pointer(struct) if struct else None

    @staticmethod
    def _files(**files):
        return layout.KernelFiles(c.sizeof(layout.KernelFiles),
                                  **{name: _path(value) for name, value in files.items()})

    def _guest(self, name="", perf=None, pid=0, domain=None, offset=None, maps_latest=False,
               **files):
        return layout.GuestFiles(
            c.sizeof(layout.GuestFiles), name.encode(), _path(perf), pid, False, domain is not None,
            domain or 0, offset is not None, maps_latest, offset or 0, self._files(**files))

    @staticmethod
    def _filter(trace_id=None, begin_time=0, end_time=0, worlds=(), **numbers):
        chosen = layout.Filter(c.sizeof(layout.Filter), begin_time=begin_time, end_time=end_time,
                               has_trace_id=trace_id is not None, trace_id=trace_id or 0,
                               worlds=sum(1 << WORLDS.index(world) for world in set(worlds)))
        for name, values in numbers.items():
            if name not in ("cpus", "vms", "vcpus", "pids", "tids"):
                raise TypeError("unexpected option: " + name)
            values = tuple(values)
            setattr(chosen, name, (c.c_int32 * len(values))(*values))
            setattr(chosen, name[:-1] + "_count", len(values))
        return chosen

    @staticmethod
    def _check(result):
        if result < 0:
            raise Error(result)
        return result

    def _open_session(self):
        if not self._session:
            raise Error(_USAGE, "the session is closed")
        return self._session

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the session; batches are gone."""
        session, self._session = self._session, c.c_void_p()
        _close(session)

    def cancel(self):
        """Makes the next pull raise an Error, also one that is under way.  From any thread."""
        _cancel(self._open_session())

    def batches(self, order="stream", stream=None):
        """All batches: "stream" after stream, by "time", or of one stream."""
        raw = layout.Batch()
        by = {"stream": 0, "time": 1}[order]
        while True:
            session = self._open_session()
            if stream is None:
                more = _next(session, by, c.byref(raw), c.sizeof(raw))
            else:
                more = _next_of(session, stream, c.byref(raw), c.sizeof(raw))
            if not self._check(more):
                return
            yield Batch(raw)

    def __iter__(self):
        return self.batches()

    @property
    def streams(self):
        """The streams, by number."""
        session = self._open_session()
        found = [_stream(session, i)[0] for i in range(_stream_count(session))]
        return [Stream(s.stream, s.source[0].cpu, s.source[0].trace_id, s.source[0].queue) for s in found]

    @property
    def machines(self):
        """Numbers of the machines known so far: 0, the host, and the VMs, by number."""
        session = self._open_session()
        vms = (c.c_int32 * _machines(session, None, 0))()
        return list(vms[:_machines(session, vms, len(vms))])

    def owner(self, number):
        """The owner with this number."""
        if number not in self._owners:
            found = _owner(self._open_session(), number)
            if not found:
                raise Error(_USAGE, "no such owner: %d" % number)
            o, buffer = found[0], c.create_string_buffer(512)
            _evidence_text(o.evidence, buffer, len(buffer))
            self._owners[number] = Owner(
                WORLDS[o.world], (None, "kernel", "user")[o.privilege], _reason_text(o.reason).decode(),
                o.el, buffer.value.decode(), o.vm, o.vcpu, o.pid, o.tid, o.host_tid,
                o.level if o.level < 255 else -1, o.nested)
        return self._owners[number]

    def symbol(self, owner, address, time=(1 << 64) - 1):
        """The Symbol at an address of this owner (its number); None where nothing is known."""
        space = self._spaces.get(owner) or _space(self._open_session(), owner)
        if not space:
            return None
        self._spaces[owner] = space
        found = layout.Symbol()
        self._check(_symbol_find(space, address, time, c.byref(found), c.sizeof(found)))
        return Symbol(_decoded(found.name), found.start, found.end, _decoded(found.dso)) if found.name else None

    def comm(self, vm, tid, time=(1 << 64) - 1):
        """The name of a thread of a machine at a time; None where it is not known."""
        return _decoded(_comm(self._open_session(), vm, tid, time))

# SPDX-License-Identifier: BSD-3-Clause
"""The structs of csguest/*.h that cross the border, as ctypes has them."""
import ctypes as c

u8, u32, u64, i32, size_t, text = c.c_uint8, c.c_uint32, c.c_uint64, c.c_int32, c.c_size_t, c.c_char_p


class Element(c.Structure):
    """An element (csguest/element.h): 64 bytes."""
    _fields_ = [("index", u64), ("start", u64), ("end", u64), ("timestamp", u64),
                ("owner", u32), ("instructions", u32), ("cycles", u32), ("info", u32),
                ("kind", u8), ("gap", u8), ("branch", u8), ("isa", u8), ("el", u8), ("last_size", u8),
                ("taken", c.c_bool), ("conditional", c.c_bool), ("has_cycles", c.c_bool),
                ("has_return", c.c_bool), ("reserved", u8 * 2), ("code", u32)]


class Batch(c.Structure):
    _fields_ = [("stream", u32), ("element_size", u32), ("elements", c.c_void_p), ("n", size_t),
                ("time", u64), ("chunk", c.c_void_p), ("codes", c.c_void_p), ("executions", c.c_void_p),
                ("lookup_time", u64)]


class Owner(c.Structure):
    _fields_ = [("world", u8), ("privilege", u8), ("reason", u8), ("el", u8), ("evidence", u32),
                ("vm", i32), ("vcpu", i32), ("pid", i32), ("tid", i32), ("host_tid", i32),
                ("host_process", i32), ("nested", i32), ("guest_tid", i32), ("level", u8)]


class Symbol(c.Structure):
    _fields_ = [("name", text), ("start", u64), ("end", u64), ("dso", text), ("dso_file", text),
                ("dso_offset", u64), ("map_start", u64), ("map_end", u64), ("hole_start", u64),
                ("hole_end", u64), ("dso_id", u32), ("symbol_id", u32), ("build_id", c.c_void_p),
                ("build_id_size", size_t)]


class Source(c.Structure):
    """The first members."""
    _fields_ = [("size", size_t), ("queue", u32), ("sink", u32), ("trace_id", u8), ("protocol", u8),
                ("cortex_m", c.c_bool), ("cpu", i32)]


class Stream(c.Structure):
    _fields_ = [("size", size_t), ("source", c.POINTER(Source)), ("stream", u32), ("trace_bytes", u64),
                ("declined", c.c_bool)]


class KernelFiles(c.Structure):
    _fields_ = [("size", size_t), ("vmlinux", text), ("kcore", text), ("kallsyms", text), ("root", text)]


class GuestFiles(c.Structure):
    _fields_ = [("size", size_t), ("name", text), ("perf", text), ("pid", i32), ("is_domain", c.c_bool),
                ("has_domain", c.c_bool), ("domain", u32), ("has_offset", c.c_bool), ("maps_latest", c.c_bool),
                ("offset", c.c_int64),
                ("files", KernelFiles), ("nested", i32)]


class Filter(c.Structure):
    _fields_ = [("size", size_t), ("cpus", c.POINTER(i32)), ("cpu_count", size_t),
                ("has_trace_id", c.c_bool), ("trace_id", u8), ("begin_time", u64), ("end_time", u64),
                ("vms", c.POINTER(i32)), ("vm_count", size_t), ("worlds", u32),
                ("vcpus", c.POINTER(i32)), ("vcpu_count", size_t), ("pids", c.POINTER(i32)),
                ("pid_count", size_t), ("tids", c.POINTER(i32)), ("tid_count", size_t)]


class Diag(c.Structure):
    _fields_ = [("size", size_t), ("severity", c.c_int), ("error", c.c_int), ("file", text), ("offset", u64),
                ("text", text), ("remedy", text)]


REPORT = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Diag))


class DiagSink(c.Structure):
    _fields_ = [("report", REPORT), ("arg", c.c_void_p)]


class SessionOptions(c.Structure):
    _fields_ = [("size", size_t), ("flags", u32), ("hypervisor", c.c_int), ("engine", c.c_int),
                ("threads", c.c_uint), ("filter", c.POINTER(Filter)), ("kernel", c.POINTER(KernelFiles)),
                ("only_guest", c.POINTER(KernelFiles)), ("guests", c.POINTER(GuestFiles)),
                ("guest_count", size_t), ("guestmount", text), ("vcpus", c.c_void_p),
                ("vcpu_count", size_t), ("kvm_list", text), ("xen_list", text), ("symfs", text),
                ("buildid_dir", text), ("tmpdir", text), ("sink", c.POINTER(DiagSink)),
                ("progress", c.c_void_p), ("progress_arg", c.c_void_p), ("facts", text)]


# By their names in C: tests/e2e/python.sh compares size and offsets with those of the headers.
STRUCTS = {"csg_element": Element, "csg_batch": Batch, "csg_owner": Owner, "csg_symbol": Symbol,
           "csg_source": Source, "csg_stream_info": Stream, "csg_kernel_files": KernelFiles,
           "csg_guest_files": GuestFiles, "csg_filter": Filter, "csg_diag": Diag,
           "csg_diag_sink": DiagSink, "csg_session_options": SessionOptions}

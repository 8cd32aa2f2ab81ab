/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording: whatever the user brings (perf.data in any of its forms, an OpenCSD
 * snapshot directory), as the rest of csguest sees it:
 *
 *   sources   trace units: one per (queue, trace ID), with the registers that say
 *             how to decode them (PERF_RECORD_AUXTRACE_INFO, a snapshot's device.ini)
 *   chunks    pieces of trace bytes recorded without a break, by queue and in order
 *             (PERF_RECORD_AUX ranges, snapshot buffers); a queue is perf's AUXTRACE
 *             index, a snapshot's trace buffer
 *   events    sideband in time order: who was mapped, named, switched in when
 *   dumps     memory that came with the recording (snapshot dumps)
 *   clock     how perf time relates to the generic counter (PERF_RECORD_TIME_CONV)
 *
 * Everything here is data of one machine; a guest's perf.data is a recording of its own.
 * Trace bytes are read in windows when asked for, never all at once.
 */
#ifndef DECODER_RECORDING_MODEL_MODEL_H
#define DECODER_RECORDING_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/context.h"
#include "csguest/diag.h"
#include "csguest/recording.h"
#include "csguest/time_conv.h"
#include "csguest/trace_scan.h"
#include "csguest/trace_unit.h"

/* A kernel or user mapping; PERF_RECORD_MMAP and MMAP2. */
struct csg_mapping {
	uint64_t start, len; /* virtual address, bytes */
	uint64_t pgoff;	     /* file offset; kernel: address of its reference relocation symbol */
	const char *path;    /* "[kernel.kallsyms]_text", "[vdso]", "/usr/bin/x", "//anon" */
	uint8_t build_id[20];
	uint8_t build_id_size; /* 0 where neither the record nor the header's BUILD_ID has one */
	bool kernel;	       /* misc cpumode is kernel */
	bool guest;	       /* misc cpumode is guest kernel or user */
	bool executable;
};

enum csg_event_kind {
	CSG_EVENT_MAP,	/* map */
	CSG_EVENT_COMM, /* comm; exec where PERF_RECORD_MISC_COMM_EXEC */
	CSG_EVENT_FORK, /* pid/tid is the child, ppid/ptid the parent */
	CSG_EVENT_EXIT,
	CSG_EVENT_SWITCH, /* SWITCH, SWITCH_CPU_WIDE: pid/tid is who; ppid/ptid next or previous */
	CSG_EVENT_NAMESPACES,	/* value: inode of the mount namespace, 0 unknown */
	CSG_EVENT_KSYMBOL,	/* map: JITed kernel text; out at unregister */
	CSG_EVENT_TEXT_POKE,	/* poke: kernel text changes */
	CSG_EVENT_LOST,		/* value: records lost */
	CSG_EVENT_ITRACE_START, /* tracing of pid/tid begins */
	CSG_EVENT_SAMPLE,	/* a sample, e.g. of kvm:kvm_entry; value: index of its event */
	CSG_EVENT_KIND_COUNT
};

/* One sideband event.  Strings and bytes belong to the recording and live as long as it. */
struct csg_event {
	uint8_t kind;		      /* enum csg_event_kind */
	bool out;		      /* SWITCH: switched out; KSYMBOL: unregistered */
	bool exec;		      /* COMM */
	bool preempted;		      /* SWITCH, out: it could have run on */
	int32_t cpu;		      /* or CSG_NO_CPU */
	int32_t pid, tid, ppid, ptid; /* -1 where not stated */
	int32_t machine_pid, vcpu;    /* from ID_INDEX (injected guest sideband); 0 and -1: host */
	uint64_t time; /* perf time in ns; 0: state that perf found and made a record of */
	uint64_t value;
	union {
		struct csg_mapping map; /* MAP, KSYMBOL */
		const char *comm;	/* COMM */
		struct {
			uint64_t address;
			const uint8_t *old_bytes, *new_bytes;
			uint16_t old_len, new_len;
		} poke; /* TEXT_POKE */
		struct {
			uint64_t ip;	    /* 0 where samples hold none */
			const uint8_t *raw; /* tracepoints: PERF_SAMPLE_RAW, else NULL */
			uint32_t raw_len;
			/* its cpumode is the guest's kernel or user: a vCPU was loaded */
			bool guest;
		} sample;	    /* SAMPLE */
	};
};

/* Memory that came with the recording: a snapshot's [dumpN]. */
struct csg_dump {
	uint64_t address, size;
	uint64_t offset;   /* in the file */
	const char *path;  /* resolved against the snapshot's directory */
	const char *space; /* "EL1N", "EL2" … as the ini names it, or NULL: any */
	int32_t cpu;	   /* core device it belongs to */
};

/* A vCPU that ID_INDEX names (perf inject --guest-data); its events carry the same numbers. */
struct csg_vcpu {
	int32_t machine_pid; /* PID of the VMM in the host */
	int32_t vcpu;	     /* its number in the VM */
	int32_t tid;	     /* the event's thread in the guest; -1: all of them */
};

/*
 * What a sample of kvm:kvm_entry or kvm:kvm_exit says (arch/arm64/kvm/trace_arm.h).  Without has_pc
 * nothing but which of the two it is: the recording does not say how its raw bytes are to be read.
 */
struct csg_kvm_event {
	bool exit, has_pc;
	bool nested;	 /* neither: KVM emulates an ERET or an exception of a guest hypervisor */
	int32_t ret;	 /* exit: ARM_EXCEPTION_*, and bit 31 where an SError is pending */
	uint32_t esr_ec; /* exit: ESR_ELx.EC of a trap */
	uint64_t pc;	 /* vcpu_pc */
};

/* Takes an event; other than 0 ends the walk through them. */
typedef int (*csg_event_fn)(void *arg, const struct csg_event *event);

struct csg_recording_setup {
	/* Take a perf.data without trace too, for its sideband (a guest's). */
	bool sideband_only;
	/* Keep all but the trace as it is, for csguest/sideband.h; perf.data only. */
	bool keep;
	/* Where decompressed or piped bytes are kept meanwhile; NULL: $TMPDIR, else /tmp. */
	const char *tmpdir;
	/* Called now and then while the file is read; done and total in bytes.  May be NULL. */
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *progress_arg;
};

#endif

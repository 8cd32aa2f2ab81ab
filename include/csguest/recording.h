/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording: what the user brings, before any of its trace is decoded.
 *
 *   perf.data   of perf record or simpleperf: a file, a pipe, or the directory of
 *               perf record --kcore or --threads; compressed or cut short
 *   snapshot    a directory with snapshot.ini, as OpenCSD and Arm's debuggers write it
 *
 * It holds
 *
 *   sources   trace units: one per (AUX queue, CoreSight trace ID), with the ID registers that
 *             say how its trace is to be decoded (PERF_RECORD_AUXTRACE_INFO, device.ini)
 *   chunks    trace bytes that were recorded without a break (PERF_RECORD_AUX)
 *   events    sideband: mappings, names, context switches, samples
 *   a clock   how perf time follows from the generic counter (PERF_RECORD_TIME_CONV)
 *
 * All of this is of one machine.  What a guest recorded itself is a recording of its own, which a
 * session (csguest/session.h) takes beside the host's.
 *
 * The structs below belong to the recording and live as long as it does.  Each begins with its
 * size as this library has it: a member beyond that size was added by a later version and must
 * not be read.  A recording may be used by several threads at a time, except csg_recording_close().
 */
#ifndef CSGUEST_RECORDING_H
#define CSGUEST_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/context.h"
#include "csguest/diag.h"
#include "csguest/hypervisor.h"
#include "csguest/time_conv.h"
#include "csguest/trace_scan.h"
#include "csguest/trace_unit.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_recording;

enum csg_recording_kind {
	CSG_RECORDING_PERF,
	CSG_RECORDING_SNAPSHOT,
};

/* What a recording says of itself.  Strings may be NULL: it does not say. */
struct csg_recording_info {
	size_t size;
	enum csg_recording_kind kind;
	const char *path;
	const char *hostname, *os_release, *arch, *perf_version, *cmdline;
	uint32_t cpus_online, cpus_available; /* 0: not known */
	uint32_t auxtrace_info_version;
	bool linux_host;    /* a perf.data: Linux's own driver recorded it */
	bool snapshot_mode; /* AUX snapshots (perf record -S) */
	bool per_thread;    /* AUX buffers belong to threads, not to CPUs */
	bool compressed, pipe, directory, simpleperf;
	/* perf_event_attr bits of the cs_etm event. */
	bool exclude_guest, exclude_host, exclude_kernel, exclude_hv, exclude_user;
	bool has_switch, has_mmap2, has_text_poke, has_id_index;
	bool has_guest_sideband;	/* perf inject --guest-data put a guest's records into it */
	bool has_kvm_events;		/* samples of kvm:* */
	uint64_t first_time, last_time; /* perf time of its events, ns; 0 where there are none */
	uint64_t lost_records, unknown_records;
	const char *directory_path; /* where kcore_dir lies; NULL: it is no directory */
	const char *trace_event;    /* the cs_etm event's name, with its terms, or NULL */
	uint32_t trace_config;	    /* the configuration that programs the trace units; 0: none */
	uint32_t trace_preset;	    /* of its parameters; 0: as they are in configfs */
	bool aux_pause, aux_resume; /* events pause and resume the trace (aux-action) */
	bool aux_samples;	    /* samples of events hold trace (perf record --aux-sample) */
	const char *cpuid;	    /* MIDR_EL1 of one of its CPUs, "0x00000000414fd0c1"; or NULL */
};

#define CSG_NO_SINK UINT32_MAX
#define CSG_NO_CPU (-1)

/* A trace unit as one AUX queue has it. */
struct csg_source {
	size_t size;
	uint32_t queue;	  /* perf's AUXTRACE index; snapshot: number of the trace buffer */
	uint32_t sink;	  /* PERF_RECORD_AUX_OUTPUT_HW_ID, minor version 1 and newer; CSG_NO_SINK */
	uint8_t trace_id; /* CoreSight trace ID, 0x01 to 0x6f; 0: a raw queue that states none */
	uint8_t protocol; /* enum csg_protocol */
	bool cortex_m;	  /* profile M (snapshots); everything else is profile A */
	int32_t cpu;	  /* logical CPU, or CSG_NO_CPU */
	const char *name; /* snapshot: name of the device; perf.data: NULL */
	const char *core_type; /* snapshot: type of the core ("Cortex-A53"); perf.data: NULL */
	uint64_t trcconfigr, trctraceidr;
	uint64_t trcidr0, trcidr1, trcidr2, trcidr8;
	uint64_t trcauthstatus, trcdevarch;
	int64_t ts_source; /* CSG_TS_SOURCE_* */
	bool alone; /* formatted bytes before the first trace ID are its, as no other is there */
	bool first; /* of its queue: bytes that are nobody's show as gaps in its stream */
};

/* Bits of csg_source.trcconfigr (Arm IHI 0064, TRCCONFIGR). */
#define CSG_TRCCONFIGR_CCI (UINT64_C(1) << 4)	   /* cycle counts */
#define CSG_TRCCONFIGR_CID (UINT64_C(1) << 6)	   /* CONTEXTIDR_EL1 */
#define CSG_TRCCONFIGR_VMID (UINT64_C(1) << 7)	   /* virtual context */
#define CSG_TRCCONFIGR_TS (UINT64_C(1) << 11)	   /* timestamps */
#define CSG_TRCCONFIGR_RS (UINT64_C(1) << 12)	   /* return stack */
#define CSG_TRCCONFIGR_VMIDOPT (UINT64_C(1) << 15) /* virtual context is CONTEXTIDR_EL2 */

/* Bits of csg_chunk.flags. */
#define CSG_CHUNK_TRUNCATED 1u	/* PERF_AUX_FLAG_TRUNCATED: trace was lost at its end */
#define CSG_CHUNK_PARTIAL 2u	/* PERF_AUX_FLAG_PARTIAL: it has gaps */
#define CSG_CHUNK_COLLISION 4u	/* PERF_AUX_FLAG_COLLISION */
#define CSG_CHUNK_OVERWRITE 8u	/* PERF_AUX_FLAG_OVERWRITE: snapshot mode */
#define CSG_CHUNK_GAP 16u	/* bytes are missing between the chunk before it and this one */
#define CSG_CHUNK_CONTINUES 32u /* it goes on where the chunk before it ends, without a break */
#define CSG_CHUNK_UNBOUND 64u	/* no AUX record describes it: it may hold breaks */
#define CSG_CHUNK_SAMPLE 128u	/* of a sample (PERF_SAMPLE_AUX), whose time it has */

/* Trace bytes that were recorded without a break: the sink ran all the time. */
struct csg_chunk {
	size_t size;
	uint32_t queue;
	uint8_t framing;     /* enum csg_framing */
	uint32_t flags;	     /* CSG_CHUNK_* */
	uint64_t position;   /* of its first byte: AUX offset; snapshot: offset in the file */
	uint64_t bytes;	     /* how many; 0: its flags alone say that trace was lost */
	uint64_t time;	     /* perf time of the AUX record, at its end, ns; 0: not known */
	uint64_t begin_time; /* perf time at or before its begin, ns; 0: not known */
	int32_t cpu;	     /* that recorded it, or CSG_NO_CPU */
	int32_t pid, tid;    /* per-thread recordings: of whom; else -1 */
	uint32_t id;	     /* private to the library */
};

/* Which code a sampled event has interrupted, as its record says: PERF_RECORD_MISC_CPUMODE_MASK. */
enum csg_cpumode {
	CSG_CPUMODE_UNKNOWN,
	CSG_CPUMODE_KERNEL,
	CSG_CPUMODE_USER,
	CSG_CPUMODE_HYPERVISOR,
	CSG_CPUMODE_GUEST_KERNEL, /* on arm64 also: the host's kernel, while a vCPU is loaded */
	CSG_CPUMODE_GUEST_USER,
};

/* A sample of an event that holds the trace before it (perf record --aux-sample,
 * PERF_SAMPLE_AUX). */
struct csg_traced_sample {
	size_t size;
	uint64_t time;	  /* perf time, ns */
	uint64_t ip;	  /* 0: not stated */
	uint64_t end;	  /* byte of its queue where its trace ends: csg_element.index */
	uint32_t queue;	  /* that its trace is in */
	uint32_t event;	  /* csg_recording_event_name() */
	int32_t cpu;	  /* or CSG_NO_CPU */
	int32_t pid, tid; /* of the host's thread; -1: not stated */
	uint8_t cpumode;  /* enum csg_cpumode */
};

struct csg_recording_options {
	size_t size;
	const struct csg_diag_sink *sink; /* messages; NULL: none.  Outlives the recording */
	bool sideband_only; /* take a perf.data without trace as well, for its sideband */
	/* For decompressed and piped bytes, and sideband beyond 128 MB; NULL: $TMPDIR, else
	 * /tmp. */
	const char *tmpdir;
	/* Called now and then while the file is read, in bytes, by the opening thread.  NULL:
	 * not. */
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *progress_arg;
};

/*
 * Opens path: a perf.data file, the directory of perf record --kcore or --threads, a snapshot
 * directory or its snapshot.ini; "-" is a perf.data on standard input.  options may be NULL.
 *
 * Damage after the header is reported to the sink and ends the reading of the file there.  What
 * lies before it is usable: the result is 0, and csg_recording_damage() says the error.
 *
 * On failure *recording is NULL, and the cause was reported to the sink:
 * -CSG_E_USAGE (NULL where none may be, or a size that no version has), _NOT_FOUND, _IO,
 * _BAD_MAGIC, _FOREIGN_ENDIAN, _FOREIGN_ARCH, _NO_TRACE, _TRUNCATED, _CORRUPT, _UNSUPPORTED,
 * _NO_MEMORY.
 */
int csg_recording_open(struct csg_recording **recording, const char *path,
		       const struct csg_recording_options *options);

/* Closes it; all that it handed out is gone.  NULL is allowed.  Not one of a session. */
void csg_recording_close(struct csg_recording *recording);

/* 0, or the negative error that ended the reading of the file early. */
int csg_recording_damage(const struct csg_recording *recording);

/* What it says of itself.  Never NULL but for NULL. */
const struct csg_recording_info *csg_recording_info(const struct csg_recording *recording);

/* From its machine's counter to its perf time; not valid where the recording has none. */
const struct csg_time_conv *csg_recording_time_conv(const struct csg_recording *recording);

/*
 * Its trace units, by queue and trace ID: how many, and the one with this index; NULL: none.  They
 * lie in an array, size bytes from one to the next.
 */
size_t csg_recording_source_count(const struct csg_recording *recording);
const struct csg_source *csg_recording_source(const struct csg_recording *recording, size_t index);

/*
 * Its chunks of trace, by queue, then in order: how many, and one; NULL: none.  They lie in an
 * array, size bytes from one to the next.
 */
size_t csg_recording_chunk_count(const struct csg_recording *recording);
const struct csg_chunk *csg_recording_chunk(const struct csg_recording *recording, size_t index);

/*
 * Its samples of events with trace, by queue, then in order: how many, and one; NULL: none.  They
 * lie in an array, size bytes from one to the next.
 */
size_t csg_recording_sample_count(const struct csg_recording *recording);
const struct csg_traced_sample *csg_recording_sample(const struct csg_recording *recording,
						     size_t index);

/* Memory dumps that came with it (a snapshot's [dumpN]): how many. */
size_t csg_recording_dump_count(const struct csg_recording *recording);

/* The name of the event with this number, as "kvm:kvm_entry"; NULL: there are fewer. */
const char *csg_recording_event_name(const struct csg_recording *recording, uint64_t number);

/*
 * The kind of hypervisor that it was made under, as far as the recording proves it; *why, unless
 * why is NULL, gets the reason, one line.  Looks at the beginning of each stream.  0,
 * -CSG_E_USAGE, -CSG_E_NO_MEMORY.
 */
int csg_recording_hypervisor(struct csg_recording *recording, enum csg_hypervisor *kind,
			     const char **why);

/*
 * What of the recording contradicts that it was made under such a hypervisor, as a user may say:
 * *why gets one line, or NULL where nothing does.  Looks at the beginning of each stream.  0,
 * -CSG_E_USAGE, -CSG_E_NO_MEMORY.
 */
int csg_recording_contradicts(struct csg_recording *recording, enum csg_hypervisor kind,
			      const char **why);

/*
 * The source as csg_trace_scan_create() and csg_attribution_stream_create() know it; size: of
 * *unit, as the caller knows it.  0, -CSG_E_USAGE.
 */
int csg_source_trace_unit(const struct csg_source *source, struct csg_trace_unit *unit,
			  size_t size);

/* What the virtual context field of the source's packets holds. */
enum csg_vctx_kind csg_source_vctx(const struct csg_source *source);

/*
 * Whether chunk holds trace of source.  Both have the same queue; a raw chunk is of one CPU, and
 * the queue of a thread that moved holds raw chunks of several.
 */
bool csg_chunk_is_of(const struct csg_chunk *chunk, const struct csg_source *source);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

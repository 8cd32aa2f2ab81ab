/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attribution: who ran each piece of a host's CoreSight trace, found before any code is read.
 *
 * It has no files, no OpenCSD and no perf in it: the caller states facts, feeds what the packets
 * of each trace unit say, and takes segments with their owners.
 *
 *	struct csg_attribution          one recording of one host: facts
 *	struct csg_attribution_stream   one trace unit of it: track events in, segments out
 *
 * Facts.  A machine is known by perf's machine_pid: CSG_VM_HOST (0) is the host, any other the
 * guest whose VMM has that PID.  Of each machine the caller states what its own sideband says, in
 * the machine's own perf time (ns): which thread belongs to which process (COMM, FORK, and any
 * record with a pid and a tid), who was switched in on which CPU (SWITCH_CPU_WIDE), and how its
 * counter becomes its time (TIME_CONV).  A guest's times need no conversion to the host's: while a
 * vCPU is loaded the trace's timestamps are the guest's own counter (FEAT_TRF, TRFCR_ELx.TS =
 * virtual, physical count less CNTVOFF_EL2).  A stream concludes from what was stated before it
 * was created: while there is one, facts are refused, -CSG_E_USAGE.  Those of the host's clock, its
 * threads and the records of its CPUs are refused from the first stream on.
 *
 * Which thread of the host runs which vCPU comes from thread names ("CPU 0/KVM", looked for in
 * COMM), from PERF_RECORD_ID_INDEX or from the user, by csg_attribution_vcpu().  CONTEXTIDR_EL2,
 * which a Linux VHE host traces, then names VM and vCPU of a piece of trace; without it they are
 * unknown.
 *
 * Events.  A stream is fed with the context track (csguest/track.h; csguest/trace_scan.h makes it
 * of trace bytes), in order.  It may look ahead as far as the caller lets it:
 * csg_attribution_settled() says up to where owners are settled, csg_attribution_settle() ends
 * the waiting for what is open.  A caller that decodes after it feeds a block, takes segments,
 * and decodes up to where it is settled; when the look-ahead gets too large, it settles.
 *
 *	csg_attribution_create(&a, &options);
 *	csg_attribution_thread(a, CSG_VM_HOST, 4100, 4103, "CPU 0/KVM", false, 0);
 *	csg_attribution_stream_create(&s, a, &unit);
 *	for each piece of trace recorded without a break:
 *		csg_attribution_piece(s, &piece);
 *		for each event of it: csg_attribution_event(s, &event);
 *		csg_attribution_settle(s);
 *		while (csg_attribution_next(s, &segment) > 0)
 *			from segment.index on, segment.owner ran
 *
 * Owners.  Each part may be unknown; enum csg_reason says why.  What is stated is proved by the
 * sources of evidence; an owner whose evidence is only the policy's default is marked so.  Where
 * sources of evidence contradict each other the part is unknown (CSG_REASON_CONFLICT), never voted
 * on. How an owner is found is explained in csguest-attribution(7).
 *
 * Wrong use (NULL, a size of no version, a number out of range) is refused, -CSG_E_USAGE; a
 * function that returns no error does nothing then, or returns what it does where nothing is known.
 */
#ifndef CSGUEST_ATTRIBUTION_H
#define CSGUEST_ATTRIBUTION_H

#include "csguest/hypervisor.h"
#include "csguest/segment.h"
#include "csguest/time_conv.h"
#include "csguest/track.h"
#include "csguest/trace_unit.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_attribution;
struct csg_attribution_stream;
struct csg_attribution_piece;

/* Time of what was there all along, and latest. */
#define CSG_TIME_FIRST 0
#define CSG_TIME_LAST UINT64_MAX

struct csg_attribution_options {
	size_t size;			/* of this struct, as the caller knows it */
	enum csg_hypervisor hypervisor; /* not CSG_HV_AUTO */
	/*
	 * The process of a machine's thread at a time of that machine (ns, CSG_TIME_LAST: latest),
	 * or CSG_PID_UNKNOWN: for callers that know all threads themselves.  It is asked for the
	 * first and the last moment at which a thread can have run.  NULL: what
	 * csg_attribution_thread() was given, and what the other records show of threads.
	 */
	int32_t (*process_of)(void *arg, int32_t vm, int32_t tid, uint64_t time);
	/*
	 * The symbol of the host's kernel at or before an address, and how far after it that is,
	 * or NULL: the vectors and ERETs of KVM are known by them.  NULL: they are learned from
	 * the trace alone.
	 */
	const char *(*kernel_symbol)(void *arg, uint64_t address, uint64_t *offset);
	void *arg;
};

/* -CSG_E_USAGE where the size is of no version or the hypervisor is AUTO; -CSG_E_NO_MEMORY. */
int csg_attribution_create(struct csg_attribution **attribution,
			   const struct csg_attribution_options *options);
void csg_attribution_destroy(struct csg_attribution *attribution);

/*
 * --- facts; they return 0, -CSG_E_NO_MEMORY, or -CSG_E_USAGE: wrong arguments, or too late ---
 */

/* A machine's clock, and between which times (ns) its sideband was recorded. */
struct csg_attribution_clock {
	size_t size;
	int32_t vm;
	struct csg_time_conv conv; /* not valid: its times cannot be compared with the trace's */
	uint64_t first_time, last_time;
	bool switches;	/* context switches of all its CPUs were recorded */
	bool host_time; /* a guest's: its times were brought to the host's, conv is the host's */
	uint32_t cpus;	/* how many the machine has; 0: not known */
};
int csg_attribution_clock(struct csg_attribution *attribution,
			  const struct csg_attribution_clock *clock);

/*
 * From time on tid is a thread of pid; in order of time for each machine.  comm may be NULL; the
 * threads of vCPUs are known by theirs: "CPU n/KVM" (QEMU), "fc_vcpu n", "crosvm_vcpun",
 * "kvm-vcpu-n", "vcpun".  forked: it was not there before.
 */
int csg_attribution_thread(struct csg_attribution *attribution, int32_t vm, int32_t pid,
			   int32_t tid, const char *comm, bool forked, uint64_t time);

/*
 * A thread exits, PERF_RECORD_EXIT; in order of time with csg_attribution_thread().  The kernel
 * still runs in it after that; its TID may come back with another thread, of any process.
 */
int csg_attribution_thread_ended(struct csg_attribution *attribution, int32_t vm, int32_t pid,
				 int32_t tid, uint64_t time);

/*
 * Whether a guest's records say when it ran: false where their times were brought to the host's
 * (csg_attribution_clock.host_time) and its switches did not happen while its vCPUs ran.  Whoever
 * keeps maps and names by those times then knows only what never changes.  True for the host, and
 * where nothing contradicts the times.  From the first stream on.
 */
bool csg_attribution_is_dated(const struct csg_attribution *attribution, int32_t vm);

/*
 * One context switch: SWITCH_CPU_WIDE.  The host's CPU, or the guest's, which is taken for the vCPU
 * of that number until the host's residency contradicts it.  Records may come in any order.
 */
struct csg_attribution_switch {
	size_t size;
	int32_t vm, cpu;
	uint64_t time;
	bool out;		      /* PERF_RECORD_MISC_SWITCH_OUT */
	int32_t pid, tid;	      /* who is switched in or out */
	int32_t other_pid, other_tid; /* next_prev_pid, _tid; -1 where the record has none */
};
int csg_attribution_switch(struct csg_attribution *attribution,
			   const struct csg_attribution_switch *record);

/*
 * A record that a thread of the host wrote on cpu, a sample say; tid -1: one that only shows that
 * records were written until then, such as PERF_RECORD_AUX.
 */
int csg_attribution_seen(struct csg_attribution *attribution, int32_t cpu, uint64_t time,
			 int32_t pid, int32_t tid);

/* Records of cpu were lost, PERF_RECORD_LOST; -1: of any of the host's CPUs. */
int csg_attribution_lost(struct csg_attribution *attribution, int32_t cpu, uint64_t time);

/*
 * A sample of kvm:kvm_entry or kvm:kvm_exit on one of the host's CPUs, by a thread that runs a
 * vCPU; in any order.  They are checked against the exceptions by which the trace shows guests to
 * be left, where no context ID names the host's thread (csguest/time_slice_survey.h).
 */
struct csg_attribution_kvm_event {
	size_t size;
	int32_t cpu, tid;
	uint64_t time;
	bool exit;	 /* kvm_exit */
	uint64_t pc;	 /* vcpu_pc */
	int32_t ret;	 /* exit: ARM_EXCEPTION_*, and bit 31 where an SError is pending */
	uint32_t esr_ec; /* exit: ESR_ELx.EC, where ret is ARM_EXCEPTION_TRAP */
};
int csg_attribution_kvm_event(struct csg_attribution *attribution,
			      const struct csg_attribution_kvm_event *event);

/*
 * Who says that a host thread runs a vCPU.  The trace and KVM's events only say that it runs some,
 * the user overrules all; any two of the others that disagree contradict each other: what they
 * disagree in is not known.  Different VMs are no contradiction where the thread ID was, one after
 * the other, of both processes.
 */
enum csg_vcpu_source {
	CSG_VCPU_BY_TRACE, /* EL1 ran under its CONTEXTIDR_EL2: that alone names no VM */
	CSG_VCPU_BY_EVENT, /* it reported kvm:kvm_entry or kvm:kvm_exit: some vCPU of its process */
	CSG_VCPU_BY_NAME,
	CSG_VCPU_BY_ID_INDEX,
	CSG_VCPU_BY_DEBUGFS, /* KVM's, /sys/kernel/debug/kvm/PID-FD/vcpuN/pid */
	CSG_VCPU_BY_USER,
};

/* A thread of the host that runs a vCPU.  It does not grow. */
struct csg_vcpu_entry {
	int32_t tid;	   /* of the host, above 0 */
	int32_t vm;	   /* PID of the VMM */
	int32_t vcpu;	   /* number in its VM, or CSG_VCPU_UNKNOWN */
	uint8_t source;	   /* enum csg_vcpu_source */
	/* Sources disagree: vcpu, and vm if it is CSG_VM_UNKNOWN, is not known. */
	bool contradicted;
};
int csg_attribution_vcpu(struct csg_attribution *attribution, const struct csg_vcpu_entry *entry);

/* All vCPU threads that are known by now, by TID and VM; valid until the next segment is taken. */
const struct csg_vcpu_entry *csg_attribution_vcpus(const struct csg_attribution *attribution,
						   size_t *n);

/*
 * Whether perf ran in the host's PID namespace: elsewhere its records have other numbers of threads
 * than context IDs, and 0 for every thread outside of that namespace.  Takes an event of the
 * beginning of the trace, of a piece (its times count) of unit; of events other than contexts
 * nothing.  When all facts of the host are stated and the policy is set, before any stream is
 * created.  1: no more is needed; 0: go on, with any unit; or -CSG_E_NO_MEMORY.
 */
int csg_attribution_check_ids(struct csg_attribution *attribution,
			      const struct csg_trace_unit *unit,
			      const struct csg_attribution_piece *piece,
			      const struct csg_track_event *event);

/*
 * After the last of them, or without any: 1 where it ran elsewhere, 0 where nothing shows that, or
 * -CSG_E_NO_MEMORY.  From then on context IDs of the host name nobody, and thread 0 is not the idle
 * thread (CSG_REASON_PID_NAMESPACE); what switch records say of other threads counts.  *why gets
 * what shows it, one line; valid as long as the attribution.
 */
int csg_attribution_settle_ids(struct csg_attribution *attribution, const char **why);

/* Records that vm's guest wrote on its own cpu were lost; cpu -1: on any of its CPUs.  Its own
 * time. */
int csg_attribution_guest_lost(struct csg_attribution *attribution, int32_t vm, int32_t cpu,
			       uint64_t time);

/* CNTVOFF_EL2 of a VM, in ticks, as the user knows it: believed until the trace contradicts it. */
int csg_attribution_offset(struct csg_attribution *attribution, int32_t vm, int64_t offset);

/*
 * The host runs guests of guests: pieces of trace state the levels that are known, and where they
 * do not nothing is concluded from what tells the threads of a guest, as it may be another's.
 * While there is a stream it does nothing, as csg_attribution_may_nest().
 */
void csg_attribution_nests(struct csg_attribution *attribution);

/*
 * Nothing shows that the host cannot run guests of guests (csg_host_may_nest(); its kernel's
 * symbols and code): until levels are stated, those of its guests are unknown.
 */
void csg_attribution_may_nest(struct csg_attribution *attribution, bool may);

/*
 * KVM's events show that vm has guests (kvm:kvm_nested_eret, kvm:kvm_inject_nested_exception, in a
 * thread of its VMM): its levels that are not stated are unknown.  0, -CSG_E_USAGE or
 * -CSG_E_NO_MEMORY.
 */
int csg_attribution_vm_nests(struct csg_attribution *attribution, int32_t vm);

/*
 * Whether a guest's owner is, or may be, a guest of that guest: it has other code then, which its
 * vm does not name.
 */
bool csg_attribution_may_be_nested(const struct csg_attribution *attribution,
				   const struct csg_owner *owner);

/* The policy in force. */
enum csg_hypervisor csg_attribution_hypervisor(const struct csg_attribution *attribution);

/*
 * Another policy for what comes. assumed: it was concluded, not said by the user, so that the
 * trace may contradict it. guests: the recording shows that guests ran, be they in the trace or
 * not.
 */
void csg_attribution_set_policy(struct csg_attribution *attribution, enum csg_hypervisor kind,
				bool assumed, bool guests);

/*
 * The vCPU that a host thread is known to run, or NULL, also where its TID was that of several
 * vCPUs, each in its time; valid until the next segment is taken.
 */
const struct csg_vcpu_entry *csg_attribution_vcpu_of(const struct csg_attribution *attribution,
						     int32_t tid);

/* --- streams --- */

/* unit is copied.  The attribution outlives its streams. */
int csg_attribution_stream_create(struct csg_attribution_stream **stream,
				  struct csg_attribution *attribution,
				  const struct csg_trace_unit *unit);
void csg_attribution_stream_destroy(struct csg_attribution_stream *stream);

/*
 * For a caller that decodes after the stream.  EL0 that no packet tells a guest's from the
 * host's (a segment that is open) may be known by the ERET that entered it, which only the code
 * says.  Once _awaits_entries() is called, the owner of such a segment is what the policy has by
 * default until _entered() has completed it, before the next segment is taken: eret is the
 * address of the ERET that was decoded right before it, 0 where it was something else. 0 or
 * -CSG_E_NO_MEMORY. _learn_entry(): an ERET at EL2 led to el, to a segment of owner.
 */
void csg_attribution_awaits_entries(struct csg_attribution_stream *stream);
int csg_attribution_entered(struct csg_attribution_stream *stream, struct csg_segment *segment,
			    uint64_t eret);
void csg_attribution_learn_entry(struct csg_attribution_stream *stream, uint64_t eret,
				 enum csg_el el, const struct csg_owner *owner);

/* What KVM's events say of a time slice's thread: nothing, the same as the switch records, or
 * another's. */
enum csg_time_slice_events {
	CSG_TIME_SLICE_EVENTS_SILENT,
	CSG_TIME_SLICE_EVENTS_AGREE,
	CSG_TIME_SLICE_EVENTS_CONTRADICT,
};

/*
 * Between two indices, both excluded, this thread of the host was on the CPU; tid -1: not known.
 * It does not grow.
 */
struct csg_attribution_time_slice {
	uint64_t begin, end;
	int32_t pid, tid;
	uint8_t events; /* enum csg_time_slice_events */
};

/*
 * Between two indices, both excluded, this thread of a guest was on the vCPU that host_tid runs,
 * whenever that was there at all; tid -1: not known.  It does not grow.
 */
struct csg_attribution_guest_time_slice {
	uint64_t begin, end;
	int32_t host_tid;
	int32_t pid, tid;
	uint8_t reason; /* enum csg_reason: why tid is not known */
	bool switches;	/* it ends with a switch of threads; false: nobody knows what followed it */
};

/*
 * Between two indices, both excluded, guests at this level ran; other guests' level is not known.
 * guest_tid: below that, the thread of the guest that is the vCPU's, or CSG_PID_UNKNOWN.
 * It does not grow.
 */
struct csg_attribution_level {
	uint64_t begin, end;
	int32_t guest_tid;
	uint8_t level; /* CSG_LEVEL_* */
	bool mixed;    /* before it KVM had loaded another level's registers, without entering it */
};

/*
 * Trace is missing between two indices and nothing says so, as the code that ran there shows: what
 * the trace says at end is not where it leads.  It does not grow.
 */
struct csg_attribution_loss {
	uint64_t begin, end;
};

/* What is known of a piece of trace from outside: perf's AUX record. */
struct csg_attribution_piece {
	size_t size;
	uint64_t begin_time, end_time; /* host perf time; 0 unknown */
	int32_t pid, tid;	       /* it was recorded of this host thread only; -1: of a CPU */
	bool continues;		       /* the piece before it goes on without a break */
	/*
	 * Its time slices, in order, for a caller that has decoded the host's kernel and counted
	 * its switches (csguest/time_slice_survey.h); they outlive the piece.  Used where no
	 * context ID names the thread.
	 */
	const struct csg_attribution_time_slice *slices;
	size_t slice_count;
	/* The same of the guests' threads: sorted by host_tid, those of each in order. */
	const struct csg_attribution_guest_time_slice *guest_slices;
	size_t guest_slice_count;
	/*
	 * The levels of its guests, in order, for a caller that has decoded the host's kernel and
	 * seen what it called before it entered them (csg_attribution_nests()); they outlive the
	 * piece.
	 */
	const struct csg_attribution_level *levels;
	size_t level_count;
	/*
	 * Losses that nothing marks in the whole stream, in order, for a caller that has decoded it
	 * and compared the path; they outlive the piece.  No timestamp in one names a guest's
	 * thread, nor one after it until the packet has changed its upper bits.
	 */
	const struct csg_attribution_loss *losses;
	size_t loss_count;
};

/* A piece of trace begins at index; unless it continues, nothing that was known of before holds. */
int csg_attribution_piece(struct csg_attribution_stream *stream, uint64_t index,
			  const struct csg_attribution_piece *piece);

/* The next event of the track. */
void csg_attribution_event(struct csg_attribution_stream *stream,
			   const struct csg_track_event *event);

/* Settles what is open as it stands: the look-ahead is used up, or the piece ends. */
void csg_attribution_settle(struct csg_attribution_stream *stream);

/* The index up to which owners are settled; UINT64_MAX: of all that was fed. */
uint64_t csg_attribution_settled(const struct csg_attribution_stream *stream);

/* The next settled segment: 1, 0 where there is none yet, or -CSG_E_NO_MEMORY. */
int csg_attribution_next(struct csg_attribution_stream *stream, struct csg_segment *segment);

/*
 * Host perf time (ns) of the timestamp at index, as far as it is known by now: a guest's is brought
 * to the host's by the counter offset of its VM. 0: it is not known within 5 us.  Times before
 * index are forgotten with csg_attribution_forget(), which a caller that asks for times does now
 * and then.
 */
uint64_t csg_attribution_time(struct csg_attribution_stream *stream, uint64_t index);
void csg_attribution_forget(struct csg_attribution_stream *stream, uint64_t index);

/*
 * Between which host perf times (ns; 0: no bound) the timestamp at index was sent, as far as is
 * known by now: csg_attribution_time() is their middle, where they are close.  Of code that is
 * mapped otherwise within them nobody knows which ran.
 */
void csg_attribution_time_bounds(struct csg_attribution_stream *stream, uint64_t index,
				 uint64_t *low, uint64_t *high);

/*
 * Takes over what another stream has learned of the same CPU (the vectors to which guests exit), so
 * that a short look ahead helps with what ran before the first exit.
 */
void csg_attribution_learn_from(struct csg_attribution_stream *stream,
				const struct csg_attribution_stream *other);

/* Whether the stream knows how guests leave this CPU, so that a look ahead for it is over. */
bool csg_attribution_has_learned(const struct csg_attribution_stream *stream);

/* Whether ELn has run in the trace: left for another with no gap in between. */
bool csg_attribution_ran_at(const struct csg_attribution_stream *stream, enum csg_el el);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the caller of the attribution stated: machines with their clocks, threads and context
 * switches, and the vCPU table (csguest/attribution.h).
 */
#ifndef DECODER_GUEST_FACTS_FACTS_H
#define DECODER_GUEST_FACTS_FACTS_H

#include "base/contradictions.h"
#include "base/findings.h"
#include "base/thread_lives.h"
#include "csguest/attribution.h"
#include "guest/facts/domains.h"
#include "guest/facts/facts_machine.h"
#include "guest/facts/holes.h"
#include "guest/facts/host_clock.h"
#include "guest/facts/kvm_visits.h"
#include "guest/facts/pid_namespace.h"
#include "guest/facts/process_lives.h"
#include "guest/facts/residency.h"
#include "guest/facts/thread_intervals.h"
#include "guest/facts/vcpus.h"
#include "guest/facts/vmids.h"

/*
 * Whether a process of a machine (CSG_PID_UNKNOWN: any) may ever have had something at an address.
 * may_have is NULL: nobody knows.
 */
struct csg_code_owners {
	bool (*may_have)(void *arg, int32_t vm, int32_t pid, uint64_t address);
	void *arg;
};

struct csg_facts {
	struct csg_attribution_options options;
	struct csg_code_owners code;
	struct csg_disk_memory *memory; /* of what grows with the recording, or NULL */
	struct csg_facts_machine *machines;
	size_t count, capacity;
	struct csg_vcpus vcpus;
	struct csg_process_lives lives; /* of PIDs of VMMs that came back */
	bool sealed;			/* csg_facts_seal() has sorted all that was stated */
	bool has_guests;		/* a guest's switches are among them */
	bool nests;			/* guests may run guests of their own: levels are stated */
	bool nesting_vms;		/* some VM's own recording shows that it does */
	bool may_nest;			/* nothing shows that the host cannot run such guests */
	bool guests_show;		/* guests show in the recording, or in the trace so far */
	struct csg_seen *seen;		/* until sealed */
	size_t seen_count, seen_capacity;
	struct csg_residency residency;		/* of the host's threads */
	struct csg_thread_intervals *by_thread; /* the same by thread, made when first asked for */
	struct csg_kvm_visits kvm_visits;	/* of vCPU threads to their guests */
	bool has_residency;			/* it was made */
	struct csg_pid_namespace pid_namespace;
	bool foreign_ids; /* perf ran in another PID namespace than context IDs are of */
	char foreign_text[128];
	struct csg_vmid disputed_vmid; /* one that contradicts the other evidence, if disputed */
	struct csg_domains domains;    /* Xen's, by VMID */
	struct csg_contradictions contradictions; /* that were found so far */
	struct csg_holes holes;			  /* of those in the host's switch records */
	struct csg_findings findings;		  /* of assumptions, by streams that count them */
	struct csg_host_clocks clocks;
};

void csg_facts_fini(struct csg_facts *facts);

/* The machine with this number, made when new; NULL: out of memory.  Valid until the next. */
struct csg_facts_machine *csg_facts_machine(struct csg_facts *facts, int32_t vm);

/* The same, or NULL where nothing was said of it. */
const struct csg_facts_machine *csg_facts_find(const struct csg_facts *facts, int32_t vm);

/*
 * Whether a VM may run guests of its own: the trace, or the guest's recording, shows such guests,
 * or nothing shows that there are none.
 */
bool csg_facts_nests(const struct csg_facts *facts, int32_t vm);

/* Whether any VM may. */
bool csg_facts_any_nests(const struct csg_facts *facts);

/* The machine's clock; an invalid one where nothing was said of it. */
const struct csg_attribution_clock *csg_facts_clock(const struct csg_facts *facts, int32_t vm);

/* Takes a record of the host's; 0 or -CSG_E_NO_MEMORY. */
int csg_facts_see(struct csg_facts *facts, const struct csg_seen *seen);

/* Records of vm's CPU were lost; the same. */
int csg_facts_lose(struct csg_facts *facts, int32_t vm, const struct csg_seen *lost);

/* The one counter offset that the trace has shown of vm so far; false: none, several, or no
 * bounds. */
bool csg_facts_offset(const struct csg_facts *facts, int32_t vm, struct csg_offset *offset);

/* The same without what the user said. */
bool csg_facts_shown_offset(const struct csg_facts *facts, int32_t vm, struct csg_offset *offset);

/* The same, or where the trace shows none, what the guest's records alone tell. */
bool csg_facts_any_offset(const struct csg_facts *facts, int32_t vm, struct csg_offset *offset);

/*
 * The process of a machine's thread from one time of the machine (ns) until another,
 * CSG_PID_SEVERAL, or CSG_PID_UNKNOWN; as csg_thread_during().
 */
int32_t csg_facts_process(const struct csg_facts *facts, int32_t vm, int32_t tid, uint64_t from,
			  uint64_t until, bool user);

/* The PID of a host's thread where several processes had it one after another:
 * csg_thread_pid_during(). */
int32_t csg_facts_pid(const struct csg_facts *facts, int32_t tid, uint64_t from, uint64_t until,
		      bool user);

/* The host's on-CPU intervals by thread, once sealed; NULL: out of memory. */
const struct csg_thread_intervals *csg_facts_by_thread(const struct csg_facts *facts);

/* What sources say of vCPU threads against what else is known of the threads:
 * csg_vcpus_settle(). */
void csg_facts_settle_vcpus(struct csg_facts *facts);

#endif

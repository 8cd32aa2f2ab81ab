/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether perf ran in another PID namespace than the host's.
 *
 * CONTEXTIDR_ELx holds the number that a thread has in the host's PID namespace (task_pid_nr()).
 * perf's records hold the number in the namespace that perf runs in, and 0 for each thread outside
 * of that.  So in a container without the host's PID namespace
 *
 *	context IDs	are of no thread in the records, or by chance of another one.  Drivers
 *			since Linux 5.18 trace none there, whatever TRCCONFIGR in perf's
 *			metadata says
 *	thread 0	is not the idle thread alone
 *
 * Nobody says so; it shows by one of these:
 *
 *	strangers	two context IDs or more that no record names, seen where switch records tell
 *			all threads that were on the CPU; in a recording without switch records,
 *			where perf named the threads that it found.  Context IDs that were among
 *			those threads speak against it
 *	silence		context IDs were asked for, and no context has one
 *	outsiders	thread 0 exits, or gets a name, which the idle thread never does
 *
 * One contradiction alone is damage.  What rests on context IDs is unknown then, and thread 0 is
 * anybody.
 */
#ifndef DECODER_GUEST_FACTS_PID_NAMESPACE_H
#define DECODER_GUEST_FACTS_PID_NAMESPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_NAMESPACE_IDS 16 /* distinct ones that are kept */

/* Distinct context IDs, the first of them. */
struct csg_id_set {
	uint32_t ids[CSG_NAMESPACE_IDS];
	size_t count;
};

enum csg_namespace_sign {
	CSG_NAMESPACE_NONE, /* it is the host's, as far as is known */
	CSG_NAMESPACE_STRANGERS,
	CSG_NAMESPACE_SILENCE,
	CSG_NAMESPACE_OUTSIDERS,
};

/* All zero: nothing was seen. */
struct csg_pid_namespace {
	struct csg_id_set strangers, known;
	uint64_t with_id, without_id; /* contexts, where their IDs were asked for */
	uint64_t outsiders;	      /* records of thread 0 that the idle thread does not write */
	uint64_t named;		      /* threads that perf named when it began */
};

/* A record of time (0: of what was there) gives thread tid a name; a thread exits. */
void csg_pid_namespace_name(struct csg_pid_namespace *ns, int32_t tid, uint64_t time);
void csg_pid_namespace_exit(struct csg_pid_namespace *ns, int32_t tid);

/* A context ID was traced: the records name such a thread, or none does. */
void csg_pid_namespace_id(struct csg_pid_namespace *ns, uint32_t id, bool known);

/* A context was traced whose ID was asked for. */
void csg_pid_namespace_context(struct csg_pid_namespace *ns, bool has_id);

/* Whether that ID was seen. */
bool csg_pid_namespace_has(const struct csg_pid_namespace *ns, uint32_t id);

/* What all of that shows. */
enum csg_namespace_sign csg_pid_namespace_sign(const struct csg_pid_namespace *ns);

/* Whether enough has been seen to call the namespace the host's. */
bool csg_pid_namespace_is_hosts(const struct csg_pid_namespace *ns);

/* The sign in words, one line, of what was seen; as snprintf(). */
int csg_pid_namespace_text(const struct csg_pid_namespace *ns, enum csg_namespace_sign sign,
			   char *text, size_t size);

#endif

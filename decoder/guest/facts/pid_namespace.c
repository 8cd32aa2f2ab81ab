/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/pid_namespace.h"

#include <inttypes.h>
#include <stdio.h>

/* This many of a kind, or one may be damaged. */
#define STRANGERS 2
#define OUTSIDERS 2
#define CONTEXTS 4

/* Of intact records this many context IDs are known before the first that is not. */
#define ENOUGH 8

static bool has(const struct csg_id_set *set, uint32_t id)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->ids[i] == id)
			return true;
	return false;
}

static void add(struct csg_id_set *set, uint32_t id)
{
	if (!has(set, id) && set->count < CSG_NAMESPACE_IDS)
		set->ids[set->count++] = id;
}

void csg_pid_namespace_name(struct csg_pid_namespace *ns, int32_t tid, uint64_t time)
{
	ns->named += !time;
	ns->outsiders += time && !tid;
}

void csg_pid_namespace_exit(struct csg_pid_namespace *ns, int32_t tid)
{
	ns->outsiders += !tid;
}

void csg_pid_namespace_id(struct csg_pid_namespace *ns, uint32_t id, bool known)
{
	add(known ? &ns->known : &ns->strangers, id);
}

bool csg_pid_namespace_has(const struct csg_pid_namespace *ns, uint32_t id)
{
	return has(&ns->known, id) || has(&ns->strangers, id);
}

void csg_pid_namespace_context(struct csg_pid_namespace *ns, bool has_id)
{
	if (has_id)
		ns->with_id++;
	else
		ns->without_id++;
}

/* Numbers that both namespaces use are known by chance; of intact records most are known. */
static bool are_strangers(const struct csg_pid_namespace *ns)
{
	return ns->strangers.count >= STRANGERS && ns->strangers.count >= ns->known.count;
}

enum csg_namespace_sign csg_pid_namespace_sign(const struct csg_pid_namespace *ns)
{
	if (are_strangers(ns))
		return CSG_NAMESPACE_STRANGERS;
	if (!ns->with_id && ns->without_id >= CONTEXTS)
		return CSG_NAMESPACE_SILENCE;
	return ns->outsiders >= OUTSIDERS ? CSG_NAMESPACE_OUTSIDERS : CSG_NAMESPACE_NONE;
}

bool csg_pid_namespace_is_hosts(const struct csg_pid_namespace *ns)
{
	return !ns->strangers.count && ns->known.count >= ENOUGH;
}

int csg_pid_namespace_text(const struct csg_pid_namespace *ns, enum csg_namespace_sign sign,
			   char *text, size_t size)
{
	switch (sign) {
	case CSG_NAMESPACE_STRANGERS:
		return snprintf(text, size,
				"no record names the threads of context IDs such as %" PRIu32
				" and %" PRIu32,
				ns->strangers.ids[0], ns->strangers.ids[1]);
	case CSG_NAMESPACE_SILENCE:
		return snprintf(text, size, "context IDs were asked for, and none was traced");
	case CSG_NAMESPACE_OUTSIDERS:
		return snprintf(text, size,
				"%" PRIu64
				" records of exits and names are of thread 0, as threads "
				"outside of its namespace are",
				ns->outsiders);
	case CSG_NAMESPACE_NONE:
		break;
	}
	return snprintf(text, size, "nothing shows it");
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/process_lives.h"

#include <stdlib.h>

#include "csguest/owner.h"
#include "util/array.h"
#include "util/bisect.h"

void csg_process_lives_fini(struct csg_process_lives *l)
{
	free(l->lives);
	free(l->namings);
	*l = (struct csg_process_lives){0};
}

int csg_process_lives_name(struct csg_process_lives *l, const struct csg_vcpu_naming *naming)
{
	int err = csg_array_grow((void **)&l->namings, l->naming_count, &l->naming_capacity,
				 sizeof(*l->namings));

	if (!err)
		l->namings[l->naming_count++] = *naming;
	return err;
}

size_t csg_process_lives_of(const struct csg_process_lives *l, int32_t pid,
			    struct csg_process_life **first)
{
	size_t i, n = 0;

	CSG_BISECT(i, l->count, l->lives[i].pid < pid);
	*first = &l->lives[i];
	while (i + n < l->count && l->lives[i + n].pid == pid)
		n++;
	return n;
}

struct csg_process_life *csg_process_life_at(const struct csg_process_lives *l, int32_t pid,
					     uint64_t time)
{
	struct csg_process_life *lives;
	size_t n = csg_process_lives_of(l, pid, &lives);

	for (size_t i = 0; i < n; i++)
		if (lives[i].from <= time && time <= lives[i].until)
			return &lives[i];
	return NULL;
}

int32_t csg_process_number(const struct csg_process_lives *l, int32_t pid, uint64_t time)
{
	struct csg_process_life *life;

	if (!l->count || !csg_process_lives_of(l, pid, &life))
		return pid;
	life = csg_process_life_at(l, pid, time);
	return life ? life->number : CSG_PID_UNKNOWN;
}

int csg_process_lives_add(struct csg_process_lives *l, int32_t pid, uint64_t from)
{
	int err = csg_array_grow((void **)&l->lives, l->count, &l->capacity, sizeof(*l->lives));

	if (!err)
		l->lives[l->count++] = (struct csg_process_life){
			.pid = pid, .number = pid, .from = from, .until = UINT64_MAX};
	return err;
}

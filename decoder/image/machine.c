/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/report.h"
#include "image/maps/dump.h"
#include "image/maps/image_state.h"
#include "image/kernel/kernel.h"
#include "image/maps/machine_state.h"
#include "image/maps/machine_time.h"
#include "image/maps/objects.h"
#include "image/maps/space_maps.h"
#include "recording/recording.h"
#include "util/array.h"

struct csg_machine *csg_machine_create(struct csg_image *image, int32_t pid)
{
	struct csg_machine *machine = calloc(1, sizeof(*machine));

	if (!machine)
		return NULL;
	machine->image = image;
	machine->pid = pid;
	machine->places = image->places;
	machine->places.symfs_is_hosts = pid != 0;
	machine->unmapped = machine->changing = -1;
	machine->kernel.pokes.arena = &image->arena;
	machine->kernel_space = csg_space_create(machine, CSG_SPACE_KERNEL);
	if (!machine->kernel_space) {
		free(machine);
		return NULL;
	}
	return machine;
}

void csg_machine_destroy(struct csg_machine *machine)
{
	for (size_t i = 0; i < machine->process_count; i++)
		csg_space_destroy(machine->processes[i]);
	csg_space_destroy(machine->kernel_space);
	for (size_t i = 0; i < CSG_MEMORIES; i++)
		csg_space_destroy(machine->memories[i]);
	free(machine->processes);
	csg_spans_fini(&machine->ever_mapped);
	csg_thread_table_fini(&machine->threads);
	csg_dumps_fini(&machine->dumps);
	csg_kernel_fini(&machine->kernel);
	free(machine);
}

int csg_machine_set_kernel(struct csg_machine *machine, const struct csg_kernel_options *options)
{
	int err;

	pthread_mutex_lock(&machine->image->lock);
	err = csg_kernel_set_options(machine, options);
	pthread_mutex_unlock(&machine->image->lock);
	return err;
}

/* Index of the first process with pid or above. */
static size_t process_index(const struct csg_machine *machine, int32_t pid)
{
	size_t low = 0, high = machine->process_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (machine->processes[middle]->pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct csg_space *find_process(struct csg_machine *machine, int32_t pid)
{
	size_t i = process_index(machine, pid);
	struct csg_space *space;

	if (i < machine->process_count && machine->processes[i]->pid == pid)
		return machine->processes[i];
	if (csg_array_grow((void **)&machine->processes, machine->process_count,
			   &machine->process_capacity, sizeof(*machine->processes)))
		return NULL;
	space = csg_space_create(machine, CSG_SPACE_PROCESS);
	if (!space)
		return NULL;
	space->pid = pid;
	memmove(&machine->processes[i + 1], &machine->processes[i],
		(machine->process_count - i) * sizeof(*machine->processes));
	machine->processes[i] = space;
	machine->process_count++;
	return space;
}

struct csg_space *csg_machine_process(struct csg_machine *machine, int32_t pid)
{
	struct csg_space *space;

	pthread_mutex_lock(&machine->image->lock);
	space = find_process(machine, pid);
	pthread_mutex_unlock(&machine->image->lock);
	return space;
}

bool csg_machine_may_have(struct csg_machine *machine, uint64_t addr)
{
	bool has;

	pthread_mutex_lock(&machine->image->lock);
	csg_spans_sort(&machine->ever_mapped);
	has = !machine->ever_mapped.count || csg_spans_meet(&machine->ever_mapped, addr, addr);
	pthread_mutex_unlock(&machine->image->lock);
	return has;
}

struct csg_space *csg_machine_kernel(struct csg_machine *machine)
{
	return machine->kernel_space;
}

struct csg_space *csg_machine_memory(struct csg_machine *machine, uint32_t where)
{
	for (size_t i = 0; i < CSG_MEMORIES; i++)
		if (where == 1u << i && machine->memories[i])
			return machine->memories[i];
	return machine->kernel_space;
}

/* Dumps are of different spaces: what code reads depends on where it runs. */
static int divide(struct csg_machine *machine)
{
	for (size_t i = 0; i < CSG_MEMORIES; i++) {
		struct csg_space *space = machine->memories[i];

		if (space || !(CSG_DUMP_EVERYWHERE & 1u << i))
			continue;
		space = csg_space_create(machine, CSG_SPACE_KERNEL);
		if (!space)
			return -CSG_E_NO_MEMORY;
		space->where = 1u << i;
		machine->memories[i] = space;
	}
	return 0;
}

static int add_dump(struct csg_machine *machine, const struct csg_dump *dump)
{
	struct csg_image *image = machine->image;
	uint32_t where = csg_dump_where(dump->space);
	char *path = csg_arena_string(&image->arena, dump->path);
	int err;

	if (!path)
		return -CSG_E_NO_MEMORY;
	if (!where)
		csg_report(
			&image->sink, CSG_WARNING, CSG_E_UNSUPPORTED, dump->path, CSG_NO_OFFSET,
			"name one of EL1N, EL2N, EL3, EL1S, EL2S, EL1R, EL2R, ROOT, N, S, R, ANY",
			"memory dump of the space %s, which is not known; it is not used",
			dump->space);
	err = csg_dumps_add(&machine->dumps, path, dump->offset, dump->address, dump->size, where,
			    dump->cpu);
	return !err && machine->dumps.divided ? divide(machine) : err;
}

int csg_machine_dump(struct csg_machine *machine, const struct csg_dump *dump)
{
	struct csg_image *image = machine->image;
	int err;

	pthread_mutex_lock(&image->lock);
	err = add_dump(machine, dump);
	if (err)
		csg_report(&image->sink, CSG_WARNING, -err, dump->path, dump->offset,
			   "copy the whole snapshot directory", "memory dump %s: %s",
			   err == -CSG_E_TRUNCATED ? "is shorter than the snapshot says"
						   : "cannot be used",
			   csg_strerror(err));
	pthread_mutex_unlock(&image->lock);
	return err;
}

/* Memory without a file, as perf tells it (tools/perf/util/map.c, is_anon_memory and
 * is_no_dso_memory). */
static bool no_file(const char *path)
{
	static const char *const names[] = {"//anon", "/dev/zero", "/anon_hugepage", "[stack",
					    "/SYSV",  "[heap]",	   "[anon:"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(path, names[i], strlen(names[i])))
			return true;
	return !path[0];
}

/* An empty one has no last address. */
static int note_mapped(struct csg_machine *machine, const struct csg_map *map)
{
	return map->start < map->end
		       ? csg_spans_add(&machine->ever_mapped, map->start, map->end - 1)
		       : 0;
}

static int user_map(struct csg_machine *machine, const struct csg_event *event, uint64_t time)
{
	const struct csg_mapping *from = &event->map;
	struct csg_build_id id = csg_build_id_make(from->build_id, from->build_id_size);
	struct csg_space *space = find_process(machine, event->pid);
	struct csg_map *map = csg_arena_alloc(&machine->image->arena, sizeof(*map));
	enum csg_object_kind kind = CSG_OBJECT_ELF;
	const char *path = from->path;
	char perf_map[64];

	if (!space || !map)
		return -CSG_E_NO_MEMORY;
	if (no_file(path)) {
		kind = CSG_OBJECT_JIT;
		if (from->executable) {
			snprintf(perf_map, sizeof(perf_map), "/tmp/perf-%d.map", event->pid);
			path = perf_map;
		}
	}
	map->start = from->start;
	map->end = from->len > UINT64_MAX - from->start ? UINT64_MAX : from->start + from->len;
	/* The vdso's file holds nothing but it. */
	map->pgoff = !strcmp(path, "[vdso]") ? 0 : from->pgoff;
	map->object = csg_image_object(machine->image, machine, kind, path, &id);
	if (!map->object || note_mapped(machine, map))
		return -CSG_E_NO_MEMORY;
	return csg_mappings_add(&space->mappings, map, time);
}

static int seen(struct csg_machine *machine, const struct csg_event *event, const char *comm,
		bool forked, uint64_t time)
{
	const struct csg_thread_state *last;

	if (event->tid < 0 || event->pid < 0)
		return 0;
	if (comm) {
		/* Nearly always the same again: keep the string there is. */
		last = csg_thread_at(&machine->threads, event->tid, UINT64_MAX);
		if (last && last->comm && !strcmp(last->comm, comm))
			comm = last->comm;
		else
			comm = csg_arena_string(&machine->image->arena, comm);
		if (!comm)
			return -CSG_E_NO_MEMORY;
	}
	return csg_thread_seen(&machine->threads, event->tid, event->pid, comm, forked, time);
}

static int comm(struct csg_machine *machine, const struct csg_event *event, uint64_t time)
{
	struct csg_space *space;

	if (event->exec) {
		space = find_process(machine, event->pid);
		if (!space || csg_mappings_clear(&space->mappings, time))
			return -CSG_E_NO_MEMORY;
	}
	return seen(machine, event, event->comm, false, time);
}

static int fork_event(struct csg_machine *machine, const struct csg_event *event, uint64_t time)
{
	const struct csg_thread_state *parent;
	struct csg_space *child, *from;
	/* perf record itself lists what ran before, with time 0: nothing was copied there. */
	bool listed = event->exec || !event->time;

	parent = csg_thread_at(&machine->threads, event->ptid, time);
	if (event->pid != event->ppid && !listed) {
		from = find_process(machine, event->ppid);
		child = find_process(machine, event->pid);
		if (!from || !child ||
		    csg_mappings_inherit(&child->mappings, &from->mappings, time))
			return -CSG_E_NO_MEMORY;
	}
	return seen(machine, event, listed || !parent ? NULL : parent->comm, !listed, time);
}

static int one_event(struct csg_machine *machine, const struct csg_event *event, uint64_t time)
{
	switch (event->kind) {
	case CSG_EVENT_MAP:
		if (event->map.kernel)
			return csg_kernel_map(machine, &event->map, time);
		if (event->pid < 0)
			return 0;
		return user_map(machine, event, time) ?: seen(machine, event, NULL, false, time);
	case CSG_EVENT_COMM:
		return comm(machine, event, time);
	case CSG_EVENT_FORK:
		return fork_event(machine, event, time);
	case CSG_EVENT_KSYMBOL:
		return csg_kernel_ksymbol(machine, &event->map, event->out, time);
	case CSG_EVENT_TEXT_POKE:
		return csg_pokes_add(&machine->kernel.pokes, event->poke.address, time,
				     event->poke.old_bytes, event->poke.old_len,
				     event->poke.new_bytes, event->poke.new_len);
	case CSG_EVENT_LOST:
		machine->lossy = true;
		return 0;
	case CSG_EVENT_SAMPLE:
	case CSG_EVENT_ITRACE_START:
	case CSG_EVENT_EXIT:
		return seen(machine, event, NULL, false, time);
	default:
		return 0;
	}
}

int csg_machine_event(struct csg_machine *machine, const struct csg_event *event)
{
	int err;

	pthread_mutex_lock(&machine->image->lock);
	if (event->time > machine->last_time)
		machine->last_time = event->time;
	err = one_event(machine, event, machine->last_time);
	pthread_mutex_unlock(&machine->image->lock);
	return err;
}

/* Of a thread's process and name, what it had at all times. */
static void keep_steady(const struct csg_thread *thread, int32_t *pid, const char **comm)
{
	for (size_t i = 0; i < thread->count; i++) {
		const struct csg_thread_state *state = &thread->states[i];

		if (state->pid != *pid)
			*pid = -1;
		if (comm && *comm && (!state->comm || strcmp(state->comm, *comm)))
			*comm = NULL;
	}
}

int32_t csg_machine_thread(const struct csg_machine *machine, int32_t tid, uint64_t time,
			   const char **comm_out)
{
	const struct csg_thread_state *state;
	int32_t pid = -1;

	if (comm_out)
		*comm_out = NULL;
	pthread_mutex_lock(&machine->image->lock);
	time = csg_machine_own_time(machine, time);
	state = csg_thread_at(&machine->threads, tid, time);
	if (state) {
		pid = state->pid;
		if (comm_out && state->time <= time)
			*comm_out = state->comm;
	}
	if (state && machine->undated)
		keep_steady(csg_thread_find(&machine->threads, tid), &pid, comm_out);
	pthread_mutex_unlock(&machine->image->lock);
	return pid;
}

uint64_t csg_machine_thread_until(const struct csg_machine *machine, int32_t tid, uint64_t time)
{
	uint64_t until;

	pthread_mutex_lock(&machine->image->lock);
	until = csg_thread_until(&machine->threads, tid, csg_machine_own_time(machine, time));
	until = csg_machine_host_time(machine, until);
	pthread_mutex_unlock(&machine->image->lock);
	return until;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/uftrace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls/nest.h"
#include "csguest/error.h"
#include "lookup/lookup_anonym.h"
#include "text/escape.h"
#include "text/nested_text.h"
#include "text/out.h"
#include "lookup/stack_source.h"
#include "util/array.h"

#define RECORDS 512 /* of a task, written at once */
#define NAME_SIZE 96
#define OBJECT_SHIFT 32
#define FUNCTION_SIZE 16

/* uftrace.h: struct uftrace_record, and the header of "info" */
#define ENTRY 0u
#define EXIT 1u
#define MAGIC 5u
#define VERSION 4
#define FEATURES 0x62 /* TASK_SESSION, SYM_REL_ADDR, MAX_STACK */
#define INFOS 0x89    /* EXE_NAME, CMDLINE, TASKINFO */

struct record {
	uint64_t time;
	uint64_t data; /* type 2, more 1, magic 3, depth 10, address 48 */
};

struct csg_uftrace_task {
	uint32_t number; /* 0: nothing of it is written so far */
	uint32_t used;
	uint64_t begin, latest;
	bool left_out;
	char name[NAME_SIZE];
	struct csg_nest nest; /* of addresses */
	struct csg_uftrace_task *next;
	struct record records[RECORDS];
};

static int fail(struct csg_uftrace *u, int err)
{
	if (err && !u->error)
		u->error = err;
	return err;
}

static int cannot_write(struct csg_uftrace *u, const char *name)
{
	return fail(u, csg_output_dir_cannot(u->dir, name, errno));
}

/* A text file of the directory. */
static int begin_file(struct csg_uftrace *u, const char *name, struct csg_out *out)
{
	int fd = csg_output_dir_file(u->dir, name, false);

	if (fd < 0)
		return cannot_write(u, name);
	csg_out_init(out, fd);
	return 0;
}

static int end_file(struct csg_uftrace *u, struct csg_out *out, const char *name)
{
	int err = csg_out_flush(out);

	if (close(out->fd) && !err)
		err = -CSG_E_IO;
	if (out->error)
		errno = out->error;
	return err ? cannot_write(u, name) : 0;
}

static void write_task(struct csg_uftrace *u, struct csg_uftrace_task *task)
{
	size_t n = task->used * sizeof(task->records[0]);
	char name[32];
	int fd, failed;

	snprintf(name, sizeof(name), "%u.dat", task->number);
	task->used = 0;
	if (u->error)
		return;
	fd = csg_output_dir_file(u->dir, name, true);
	if (fd < 0) {
		cannot_write(u, name);
		return;
	}
	failed = csg_output_write(fd, task->records, n);
	if (close(fd) && !failed)
		failed = errno;
	errno = failed;
	if (failed)
		cannot_write(u, name);
}

/* The name of a task, as a path's last part, of which uftrace shows 15 letters: "u:154 asker" (host
 * user), "k:154 asker", "gk:136/0 chat" (VM and vCPU), "gk:136/0 L2 VM 301". */
static void name_task(struct csg_uftrace *u, const struct csg_stack *stack, uint32_t number,
		      char *name)
{
	const struct csg_lookup *l = &u->lookup;
	const struct csg_owner *o = l->owner(l->arg, number);
	const char *comm = l->comm(l->arg, number, UINT64_MAX);
	char privilege = stack == stack->task->user ? 'u' : 'k';
	char vm[CSG_VM_TEXT_SIZE], nested[CSG_NESTED_TEXT_SIZE];

	csg_vm_text(o->vm, vm, sizeof(vm));
	csg_nested_text(o->level, o->nested, nested, sizeof(nested));
	if (o->world == CSG_WORLD_GUEST && o->tid >= 0)
		snprintf(name, NAME_SIZE, "g%c:%s/%d%s %.15s %d", privilege, vm, o->vcpu, nested,
			 comm ? comm : "thread", o->tid);
	else if (o->world == CSG_WORLD_GUEST)
		snprintf(name, NAME_SIZE, "g%c:%s/%d%s", privilege, vm, o->vcpu, nested);
	else if (o->world == CSG_WORLD_HOST && o->tid < 0)
		snprintf(name, NAME_SIZE, "%c:of stream %d", privilege, stack->task->stream);
	else if (o->world == CSG_WORLD_HOST)
		snprintf(name, NAME_SIZE, "%c:%d %.15s", privilege, o->tid, comm ? comm : "thread");
	else
		snprintf(name, NAME_SIZE, "%s", csg_world_name(o->world));
	csg_escape_name(name);
}

/* The task of a stack, made when new. */
static struct csg_uftrace_task *task_of(struct csg_uftrace *u, struct csg_stack *stack)
{
	struct csg_uftrace_task *task = stack->data;

	if (task)
		return task;
	task = calloc(1, sizeof(*task));
	if (!task) {
		fail(u, -CSG_E_NO_MEMORY);
		return NULL;
	}
	task->next = u->tasks;
	u->tasks = task;
	stack->data = task;
	task->left_out = !csg_call_filter_owner(&u->filter,
						u->lookup.owner(u->lookup.arg, stack->task->owner));
	if (task->left_out)
		return task;
	name_task(u, stack, stack->task->owner, task->name);
	return task;
}

static int64_t object_of(struct csg_uftrace *u, const char *name)
{
	char key[NAME_SIZE] = "";
	int64_t object;

	memcpy(key, name, csg_escape_cut(name, NAME_SIZE - 1));
	csg_escape_name(key);
	object = csg_keyset_add(&u->objects, key);
	if (object < 0)
		return fail(u, (int)object);
	if (csg_array_reach((void **)&u->functions_of, &u->object_n, (size_t)object,
			    sizeof(*u->functions_of)))
		return fail(u, -CSG_E_NO_MEMORY);
	return object;
}

/* The address by which uftrace knows a function. */
static uint64_t address_of(struct csg_uftrace *u, uint32_t label)
{
	const struct csg_function_name name = csg_lookup_function(&u->lookup, u->follower, label);
	const char *file;
	int64_t object;

	if (csg_array_reach((void **)&u->addresses, &u->address_n, label, sizeof(*u->addresses)))
		return (uint64_t)fail(u, -CSG_E_NO_MEMORY);
	if (u->addresses[label])
		return u->addresses[label];
	file = name.dso ? name.dso : "unknown";
	object = object_of(u, file);
	if (object < 0)
		return 0;
	u->addresses[label] = (uint64_t)(object + 1) << OBJECT_SHIFT |
			      (uint64_t)(++u->functions_of[object]) * FUNCTION_SIZE;
	return u->addresses[label];
}

static void log_event(struct csg_uftrace *u, struct csg_stack *stack, unsigned int kind,
		      uint32_t label)
{
	struct csg_uftrace_task *task = u->error ? NULL : task_of(u, stack);
	const bool left_out = task && task->left_out;
	struct csg_call_event event = {
		.subject = task,
		.stream = (uint32_t)stack->task->stream,
		.address = task && !left_out && kind == ENTRY ? address_of(u, label) : 0,
		.kind = (uint8_t)kind,
	};

	if (!u->error && !left_out)
		fail(u, csg_call_log_add(&u->log, &event));
}

static void on_entered(void *arg, struct csg_stack *stack, enum csg_move why)
{
	struct csg_uftrace *u = arg;
	struct csg_frame *top = csg_stack_top(stack);

	if (why == CSG_MOVE_JUMP)
		return;
	top->note = csg_call_filter_code(&u->filter, &u->lookup, u->follower, stack);
	if (top->note)
		log_event(u, stack, ENTRY, top->function.label);
}

static void on_leaving(void *arg, struct csg_stack *stack, enum csg_move why)
{
	if (csg_stack_top(stack)->note && why != CSG_MOVE_JUMP)
		log_event(arg, stack, EXIT, 0);
}

static void on_ran(void *arg, uint32_t stream, struct csg_stack *stack, uint64_t n)
{
	struct csg_uftrace *u = arg;

	(void)stack;
	csg_call_log_ran(&u->log, stream, n);
}

static void on_mark(void *arg, uint32_t stream, const struct csg_element *e)
{
	struct csg_uftrace *u = arg;
	uint64_t now = e->kind == CSG_ELEMENT_TIMESTAMP && !u->timeless ? u->time(u->arg, e) : 0;

	csg_call_log_mark(&u->log, e, stream);
	if (now)
		csg_call_log_stamp(&u->log, stream, now);
}

static int on_next(void *arg, uint32_t stream, struct csg_batch *batch, size_t size)
{
	struct csg_uftrace *u = arg;

	(void)size;
	return u->next(u->arg, stream, batch);
}

struct writer {
	struct csg_uftrace *u;
	struct csg_uftrace_task *task;
};

static void write_record(void *arg, bool entry, uint64_t time, size_t depth, uint64_t address)
{
	const struct writer *w = arg;
	struct csg_uftrace_task *task = w->task;

	if (!task->number) {
		task->number = ++w->u->task_count;
		task->begin = time;
	}
	task->records[task->used++] = (struct record){
		.time = time,
		.data = (entry ? ENTRY : EXIT) | MAGIC << 3 | (depth & 0x3ff) << 6 | address << 16,
	};
	if (task->used == RECORDS)
		write_task(w->u, task);
}

/* Writes records of what is dated by now. */
static void write_dated(struct csg_uftrace *u)
{
	struct writer writer = {.u = u};
	const struct csg_nest_client client = {csg_call_filter_windows(&u->filter), write_record,
					       &writer};
	struct csg_call_event event;

	while (csg_call_log_next(&u->log, &event)) {
		struct csg_uftrace_task *task = writer.task = event.subject;

		/* A task that moved between CPUs never goes back in time. */
		if (event.time < task->latest)
			event.time = task->latest;
		task->latest = event.time;
		if (event.kind == EXIT)
			csg_nest_leave(&task->nest, &client, event.time);
		else if (csg_nest_enter(&task->nest, &client, event.time, event.address))
			fail(u, -CSG_E_NO_MEMORY);
	}
}

int csg_uftrace_open(struct csg_uftrace *u, const struct csg_lookup *lookup, size_t streams)
{
	const struct csg_follower_source source = csg_lookup_stack_source(&u->lookup, streams);
	const struct csg_follower_options options = {
		.size = sizeof(options),
		.source = &source,
		.arg = u,
		.next = on_next,
		.entered = on_entered,
		.leaving = on_leaving,
		.ran = on_ran,
		.mark = on_mark,
	};
	int err;

	csg_keyset_init(&u->objects, NAME_SIZE);
	err = csg_call_log_init(&u->log, streams, u->timeless);
	u->lookup = *lookup;
	return err ? err : csg_follower_create(&u->follower, NULL, &options);
}

void csg_uftrace_close(struct csg_uftrace *u)
{
	csg_follower_destroy(u->follower);
	u->follower = NULL;
	csg_call_log_fini(&u->log);
	csg_keyset_fini(&u->objects);
	while (u->tasks) {
		struct csg_uftrace_task *task = u->tasks;

		u->tasks = task->next;
		csg_nest_fini(&task->nest);
		free(task);
	}
	free(u->addresses);
	free(u->functions_of);
	u->addresses = NULL;
	u->functions_of = NULL;
}

int csg_uftrace_next(struct csg_uftrace *u)
{
	int ret = csg_follower_next(u->follower);

	write_dated(u);
	if (csg_interrupt_seen())
		fail(u, -CSG_E_IO);
	return ret >= 0 && u->error ? u->error : ret;
}

static void stamp(struct csg_out *out, uint64_t time)
{
	csg_out_printf(out, "%" PRIu64 ".%09" PRIu64, time / 1000000000, time % 1000000000);
}

static int write_tasks(struct csg_uftrace *u)
{
	struct csg_out *out = malloc(sizeof(*out));
	int err = out ? begin_file(u, "task.txt", out) : -CSG_E_NO_MEMORY;

	for (uint32_t i = 1; !err && i <= u->task_count; i++) {
		const struct csg_uftrace_task *task = u->tasks;

		while (task->number != i)
			task = task->next;
		csg_out_str(out, "SESS timestamp=");
		stamp(out, task->begin);
		csg_out_printf(out, " pid=%u sid=%016x exename=\"/%s\"\nTASK timestamp=", i, i,
			       task->name);
		stamp(out, task->begin);
		csg_out_printf(out, " tid=%u pid=%u\n", i, i);
	}
	if (!err)
		err = end_file(u, out, "task.txt");
	free(out);
	return fail(u, err);
}

/* The same objects for everybody. */
static int write_map(struct csg_uftrace *u, uint32_t task)
{
	struct csg_out *out = malloc(sizeof(*out));
	char name[48];
	int err;

	snprintf(name, sizeof(name), "sid-%016x.map", task);
	err = out ? begin_file(u, name, out) : -CSG_E_NO_MEMORY;
	for (size_t i = 0; !err && i < u->objects.count; i++) {
		uint64_t start = (uint64_t)(i + 1) << OBJECT_SHIFT;

		csg_out_printf(out, "%012" PRIx64 "-%012" PRIx64 " r-xp 00000000 00:00 0 %26s/%s\n",
			       start, start + (UINT64_C(1) << OBJECT_SHIFT) - 4096, "",
			       (const char *)csg_keyset_get(&u->objects, i));
	}
	/* Whatever lies above the stack would be the kernel. */
	if (!err)
		csg_out_printf(out, "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0 %26s[stack]\n",
			       "");
	if (!err)
		err = end_file(u, out, name);
	free(out);
	return fail(u, err);
}

static int write_symbols(struct csg_uftrace *u, size_t object)
{
	struct csg_out *out = malloc(sizeof(*out));
	const char *object_name = csg_keyset_get(&u->objects, object);
	uint32_t n = u->functions_of[object];
	uint32_t *labels = calloc(n + 1, sizeof(*labels));
	char name[NAME_SIZE + 8], buf[256];
	int err;

	snprintf(name, sizeof(name), "%s.sym", object_name);
	err = out && labels ? begin_file(u, name, out) : -CSG_E_NO_MEMORY;
	for (uint32_t i = 0; !err && i < u->address_n; i++)
		if (u->addresses[i] >> OBJECT_SHIFT == object + 1)
			labels[(uint32_t)u->addresses[i] / FUNCTION_SIZE - 1] = i;
	if (!err)
		csg_out_printf(out, "# symbols: %u\n# path name: /%s\n# build-id: \n", n + 1,
			       object_name);
	for (uint32_t i = 0; !err && i < n; i++) {
		csg_out_printf(out, "%016x T ", (i + 1) * FUNCTION_SIZE);
		csg_out_text(out, csg_lookup_function_text(&u->lookup, u->follower, labels[i], buf,
							   sizeof(buf)));
		csg_out_char(out, '\n');
	}
	if (!err) {
		csg_out_printf(out, "%016x ? __sym_end\n", (n + 1) * FUNCTION_SIZE);
		err = end_file(u, out, name);
	}
	free(labels);
	free(out);
	return fail(u, err);
}

static int write_info(struct csg_uftrace *u)
{
	struct csg_out *out = malloc(sizeof(*out));
	const struct {
		char magic[8];
		uint32_t version;
		uint16_t size;
		uint8_t endian, class;
		uint64_t features, infos;
		uint16_t max_stack, unused1;
		uint32_t unused2;
	} header = {"Ftrace!", VERSION, 40, 1, 2, FEATURES, INFOS, 1024, 0, 0};
	int err = out ? begin_file(u, "info", out) : -CSG_E_NO_MEMORY;

	if (!err) {
		csg_out_bytes(out, (const char *)&header, sizeof(header));
		csg_out_str(out, "exename:/csguest\ncmdline:csguest export --uftrace of ");
		csg_out_text(out, u->recording);
		csg_out_printf(out, "\ntaskinfo:lines=2\ntaskinfo:nr_tid=%u\ntaskinfo:tids=",
			       u->task_count);
		for (uint32_t i = 1; i <= u->task_count; i++)
			csg_out_printf(out, "%s%u", i > 1 ? "," : "", i);
		csg_out_char(out, '\n');
		err = end_file(u, out, "info");
	}
	free(out);
	return fail(u, err);
}

int csg_uftrace_finish(struct csg_uftrace *u)
{
	csg_call_log_end(&u->log);
	write_dated(u);
	for (struct csg_uftrace_task *task = u->tasks; task && !u->error; task = task->next)
		if (task->number)
			write_task(u, task);
	if (!u->error)
		write_tasks(u);
	for (uint32_t i = 1; !u->error && i <= u->task_count; i++)
		write_map(u, i);
	for (size_t i = 0; !u->error && i < u->objects.count; i++)
		write_symbols(u, i);
	if (!u->error)
		write_info(u);
	return u->error;
}

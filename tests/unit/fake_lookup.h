/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A csg_lookup that answers from tables.  Owners 1 and 3 are threads of a host process, 2 is a
 * guest's user code, 4 the host kernel, others are unknown; three spaces:
 *   process   "/bin/app" at 0x1000-0x8000: 0x1000 main, 0x1100 helper, 0x1200-0x1300 tail, else
 *             no symbols; from FAKE_CHANGE ns on "/bin/other" with one symbol "other".  Two
 *             instructions a source line: "/src/main.c:10" at 0x1000 to "/src/main.c:73" at 0x11f8;
 *             the tail is "/src/tail.c:7", the other program "/src/other.c:1"
 *   guest     "/bin/guest" at 0x1000-0x8000, symbol "main" throughout
 *   kernel    from FAKE_KERNEL on, symbol "vector"
 */
#ifndef TESTS_UNIT_VIEW_FAKE_LOOKUP_H
#define TESTS_UNIT_VIEW_FAKE_LOOKUP_H

#include <string.h>

#include "lookup/lookup.h"

#define FAKE_CHANGE 1000u
#define FAKE_KERNEL 0xffff000000001000u

/* Spaces are compared by their address only. */
static char fake_spaces[4];
static unsigned int fake_symbol_calls, fake_comm_calls, fake_line_calls;
static const uint8_t fake_t32_code[] = {0x00, 0xbf, 0x00, 0xf0, 0x00, 0xf8, 0x00, 0xbf, 0x70, 0x47};
#define FAKE_T32 0x4000u /* nop; bl (4 bytes); nop; bx lr */

static const struct csg_owner *fake_owner(void *arg, uint32_t owner)
{
	static const struct csg_owner owners[] = {
		{.reason = CSG_REASON_NO_CONTEXT,
		 .el = 4,
		 .vm = -1,
		 .vcpu = -1,
		 .pid = -1,
		 .tid = -1},
		{.world = CSG_WORLD_HOST,
		 .el = 0,
		 .pid = 100,
		 .tid = 101,
		 .vcpu = -1,
		 .evidence = 2},
		{.world = CSG_WORLD_GUEST,
		 .el = 0,
		 .vm = 42,
		 .vcpu = 1,
		 .pid = -1,
		 .tid = -1,
		 .reason = CSG_REASON_NO_THREAD},
		{.world = CSG_WORLD_HOST,
		 .el = 0,
		 .pid = 100,
		 .tid = 102,
		 .vcpu = -1,
		 .evidence = 3},
		{.world = CSG_WORLD_HOST, .el = 2, .pid = 100, .tid = 101, .vcpu = -1},
	};

	(void)arg;
	return &owners[owner < 5 ? owner : 0];
}

static struct csg_space *fake_space(void *arg, uint32_t owner)
{
	static const unsigned char space_of[] = {0, 1, 2, 1, 0};

	(void)arg;
	if (!owner || owner > 4)
		return NULL;
	return (struct csg_space *)&fake_spaces[space_of[owner]];
}

static void fake_symbol(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
			struct csg_symbol *s)
{
	static const struct csg_symbol app[] = {
		{.name = "main", .start = 0x1000, .end = 0x1100, .symbol_id = 1},
		{.name = "helper", .start = 0x1100, .end = 0x1180, .symbol_id = 2},
		{.name = "tail", .start = 0x1200, .end = 0x1300, .symbol_id = 3},
		{.name = "thumb", .start = FAKE_T32, .end = FAKE_T32 + 6, .symbol_id = 6},
		{.name = "thumb2", .start = FAKE_T32 + 6, .end = FAKE_T32 + 10, .symbol_id = 7},
	};

	(void)arg;
	fake_symbol_calls++;
	memset(s, 0, sizeof(*s));
	if (space == (struct csg_space *)&fake_spaces[0]) {
		*s = (struct csg_symbol){.name = "vector",
					 .start = FAKE_KERNEL,
					 .end = UINT64_MAX,
					 .symbol_id = 4,
					 .dso = "[kernel.kallsyms]",
					 .dso_id = 1};
		return;
	}
	if (addr < 0x1000 || addr >= 0x8000)
		return;
	if (space == (struct csg_space *)&fake_spaces[2] || time >= FAKE_CHANGE) {
		bool guest = space == (struct csg_space *)&fake_spaces[2];

		*s = (struct csg_symbol){.name = guest ? "main" : "other",
					 .start = 0x1000,
					 .end = 0x8000,
					 .symbol_id = guest ? 8 : 5};
		s->dso = guest ? "/bin/guest" : "/bin/other";
		s->dso_id = guest ? 4 : 3;
	} else {
		for (size_t i = 0; i < sizeof(app) / sizeof(*app); i++)
			if (addr >= app[i].start && addr < app[i].end)
				*s = app[i];
		s->dso = "/bin/app";
		s->dso_id = 2;
	}
	s->map_start = 0x1000;
	s->map_end = 0x8000;
}

static void fake_code(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		      const uint8_t **bytes, size_t *len, uint64_t *until)
{
	(void)arg;
	*until = space == (struct csg_space *)&fake_spaces[1] && time < FAKE_CHANGE ? FAKE_CHANGE
										    : UINT64_MAX;
	*len = 0;
	if (addr >= FAKE_T32 && addr < FAKE_T32 + sizeof(fake_t32_code)) {
		*bytes = fake_t32_code + (addr - FAKE_T32);
		*len = sizeof(fake_t32_code) - (size_t)(addr - FAKE_T32);
	}
}

static void fake_line(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		      const char **file, int *line)
{
	(void)arg;
	fake_line_calls++;
	*file = NULL;
	if (space != (struct csg_space *)&fake_spaces[1] || addr < 0x1000 || addr >= 0x1300)
		return;
	*file = time >= FAKE_CHANGE ? "/src/other.c"
		: addr < 0x1200	    ? "/src/main.c"
				    : "/src/tail.c";
	*line = time >= FAKE_CHANGE ? 1 : addr < 0x1200 ? 10 + (int)(addr - 0x1000) / 8 : 7;
}

static const char *fake_comm(void *arg, uint32_t owner, uint64_t time)
{
	(void)arg;
	fake_comm_calls++;
	if (owner != 1 && owner != 3)
		return NULL;
	return time < FAKE_CHANGE ? "app" : "a-name-that-is-far-too-long";
}

static const char *fake_process(void *arg, uint32_t owner, uint64_t time)
{
	(void)arg;
	if (owner != 1 && owner != 3 && owner != 4)
		return NULL;
	return time < FAKE_CHANGE ? "daemon" : "renamed";
}

static uint64_t fake_named_until(void *arg, uint32_t owner, uint64_t time)
{
	(void)arg;
	(void)owner;
	return time < FAKE_CHANGE ? FAKE_CHANGE : UINT64_MAX;
}

static int32_t fake_vm_of(void *arg, uint32_t owner)
{
	const struct csg_owner *o = fake_owner(arg, owner);

	return o->world == CSG_WORLD_GUEST ? o->vm : CSG_VM_HOST;
}

static const char *fake_guest(void *arg, int32_t vm)
{
	(void)arg;
	return vm == 42 ? "web</script>" : NULL;
}

static const struct csg_lookup fake_lookup = {
	.owner = fake_owner,
	.space = fake_space,
	.symbol = fake_symbol,
	.code = fake_code,
	.line = fake_line,
	.comm = fake_comm,
	.process = fake_process,
	.named_until = fake_named_until,
	.guest = fake_guest,
	.vm_of = fake_vm_of,
};

#endif

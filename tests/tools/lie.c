/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes switch records of a perf.data contradict the others, in place:
 *
 *	lie FILE WHAT N SEED [FROM UNTIL]
 *
 * Chooses N of the SWITCH_CPU_WIDE records, by SEED, of the time between two (ns), and changes of
 * each
 *
 *	tid     who is switched, to a thread that does not exist
 *	other   who comes next or left, the same
 *	cpu     the CPU, to the one beside it
 *	time    when it was, by up to 1 ms
 *	gone    all: nobody takes notice of it any more
 *	start   what it is: PERF_RECORD_ITRACE_START of the other thread
 *
 * or of each, if it says who comes, all records of that on-CPU interval, which do not contradict
 * each other:
 *
 *	whole   who was there, to another thread that comes somewhere
 *	skipped who was there was not: who left before it is who comes next, to whom comes then
 *
 * or of other records
 *
 *	itrace  of PERF_RECORD_ITRACE_START the thread, to one that does not exist
 *	add     what "gone" has left, to PERF_RECORD_ITRACE_START of such a thread
 *
 * or of all SWITCH_CPU_WIDE records
 *
 *	late    when they were, all by N ns: they contradict the trace, but not each other
 *
 * Prints the time of each and its place in the file.
 */
#include <inttypes.h>

#include "perf_in_place.h"

#define NOBODY 99999

/* struct { header; u32 pid, tid; sample_id }; the same of PERF_RECORD_ITRACE_START. */
#define MISC 4
#define MISC_OUT (1 << 13)
#define OTHER_PID 8
#define OTHER_TID 12
/* Of events with TID, TIME, CPU and IDENTIFIER, as perf record -a asks for them. */
#define PID 16
#define TID 20
#define TIME 24
#define CPU 32
#define SWITCH 48

struct file {
	struct perf_in_place in;
	uint64_t random;
	uint64_t from, until;
};

/* Numerical Recipes' generator: its upper bits. */
static uint64_t random_below(struct file *file, uint64_t n)
{
	file->random = file->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (file->random >> 33) % n;
}

static bool is(const struct file *file, const uint8_t *record, uint32_t type)
{
	return type_of(record) == type && size_of(record) == SWITCH &&
	       csg_le64(record + TIME) >= file->from && csg_le64(record + TIME) <= file->until;
}

/* The nth record of a type, or NULL. */
static uint8_t *find(const struct file *file, uint32_t type, uint64_t nth)
{
	for (uint8_t *record = file->in.begin; record < file->in.end;
	     record = next(&file->in, record))
		if (is(file, record, type) && !nth--)
			return record;
	return NULL;
}

static uint64_t count(const struct file *file, uint32_t type)
{
	uint64_t n = 0;

	for (uint8_t *record = file->in.begin; record < file->in.end;
	     record = next(&file->in, record))
		n += is(file, record, type);
	return n;
}

static void tell(const struct file *file, const uint8_t *record)
{
	printf("%" PRIu64 ".%09" PRIu64 " 0x%zx\n", csg_le64(record + TIME) / 1000000000,
	       csg_le64(record + TIME) % 1000000000, (size_t)(record - file->in.bytes));
}

/* --- all records of an on-CPU interval --- */

static bool is_out(const uint8_t *record)
{
	return csg_le16(record + MISC) & MISC_OUT;
}

/* The switch records of the interval: who left, who came, who leaves and who comes then. */
struct interval {
	uint8_t *left, *came, *leaves, *next;
};

/* False: another record, or none, stands where one is expected. */
static bool find_interval(const struct file *file, uint8_t *came, struct interval *interval)
{
	uint32_t cpu = csg_le32(came + CPU);
	uint8_t **const following[] = {&interval->leaves, &interval->next};
	size_t n = 0;

	*interval = (struct interval){.came = came};
	for (uint8_t *r = file->in.begin; r < file->in.end && n < 2; r = next(&file->in, r)) {
		if (csg_le32(r) != CSG_PERF_RECORD_SWITCH_CPU_WIDE || csg_le32(r + CPU) != cpu)
			continue;
		if (r < came)
			interval->left = r;
		else if (r > came)
			*following[n++] = r;
	}
	return n == 2 && interval->left && is_out(interval->left) && !is_out(came) &&
	       is_out(interval->leaves) && !is_out(interval->next);
}

/* The thread at `from` becomes that of `to`: PID and TID stand side by side in both places. */
static void put_thread(uint8_t *to, const uint8_t *from)
{
	memmove(to, from, 8);
}

/* The whole interval is that of the one who comes in another record; it is nobody's own
 * neighbour. */
static bool rename_interval(const struct interval *i, const uint8_t *other)
{
	uint32_t tid = csg_le32(other + TID);

	if (is_out(other) || tid == csg_le32(i->came + TID) || tid == csg_le32(i->left + TID) ||
	    tid == csg_le32(i->next + TID))
		return false;
	put_thread(i->left + OTHER_PID, other + PID);
	put_thread(i->came + PID, other + PID);
	put_thread(i->leaves + PID, other + PID);
	put_thread(i->next + OTHER_PID, other + PID);
	return true;
}

static bool skip_interval(const struct interval *i)
{
	if (csg_le32(i->left + TID) == csg_le32(i->next + TID))
		return false;
	put_thread(i->left + OTHER_PID, i->next + PID);
	put_thread(i->next + OTHER_PID, i->left + PID);
	put(i->came, RECORD_THROTTLE, 4);
	put(i->leaves, RECORD_THROTTLE, 4);
	return true;
}

/* Draws until an interval can be changed.  False: none can. */
static bool change_interval(struct file *file, const char *what)
{
	uint64_t records = count(file, CSG_PERF_RECORD_SWITCH_CPU_WIDE);

	for (uint64_t tries = 0; records && tries < 1000; tries++) {
		uint8_t *came =
			find(file, CSG_PERF_RECORD_SWITCH_CPU_WIDE, random_below(file, records));
		uint8_t *other =
			find(file, CSG_PERF_RECORD_SWITCH_CPU_WIDE, random_below(file, records));
		struct interval i;

		if (!find_interval(file, came, &i) ||
		    !(*what == 's' ? skip_interval(&i) : rename_interval(&i, other)))
			continue;
		tell(file, came);
		return true;
	}
	return false;
}

/* --- one record --- */

static bool change(struct file *file, uint8_t *record, const char *what)
{
	if (!strcmp(what, "tid")) {
		put(record + TID, NOBODY, 4);
	} else if (!strcmp(what, "other")) {
		put(record + OTHER_TID, NOBODY, 4);
	} else if (!strcmp(what, "cpu")) {
		put(record + CPU, csg_le32(record + CPU) ^ 1, 4);
	} else if (!strcmp(what, "time")) {
		put(record + TIME, csg_le64(record + TIME) + random_below(file, 2000000) - 1000000,
		    8);
	} else if (!strcmp(what, "gone")) {
		put(record, RECORD_THROTTLE, 4);
	} else if (!strcmp(what, "start")) {
		put(record, CSG_PERF_RECORD_ITRACE_START, 4);
	} else if (!strcmp(what, "add") || !strcmp(what, "itrace")) {
		put(record, CSG_PERF_RECORD_ITRACE_START, 4);
		put(record + OTHER_PID, NOBODY, 4);
		put(record + OTHER_TID, NOBODY, 4);
	} else {
		return false;
	}
	return true;
}

static uint32_t type_for(const char *what)
{
	if (!strcmp(what, "add"))
		return RECORD_THROTTLE;
	return strcmp(what, "itrace") ? CSG_PERF_RECORD_SWITCH_CPU_WIDE
				      : CSG_PERF_RECORD_ITRACE_START;
}

/* All of them are late by this many ns. */
static void delay(const struct file *file, uint64_t ns)
{
	for (uint8_t *record = file->in.begin; record < file->in.end;
	     record = next(&file->in, record))
		if (is(file, record, CSG_PERF_RECORD_SWITCH_CPU_WIDE))
			put(record + TIME, csg_le64(record + TIME) + ns, 8);
}

int main(int argc, char **argv)
{
	struct file file = {.until = UINT64_MAX};
	FILE *f = argc == 5 || argc == 7 ? fopen(argv[1], "r+") : NULL;
	uint64_t n;

	if (!f || !load(&file.in, f))
		return 2;
	file.random = strtoull(argv[4], NULL, 0);
	n = strtoull(argv[3], NULL, 0);
	if (argc == 7) {
		file.from = strtoull(argv[5], NULL, 0);
		file.until = strtoull(argv[6], NULL, 0);
	}
	while ((!strcmp(argv[2], "whole") || !strcmp(argv[2], "skipped")) && n)
		if (!change_interval(&file, argv[2]))
			return 1;
		else
			n--;
	if (!strcmp(argv[2], "late")) {
		delay(&file, n);
		n = 0;
	}
	for (; n; n--) {
		uint32_t type = type_for(argv[2]);
		uint64_t records = count(&file, type);
		uint8_t *record = records ? find(&file, type, random_below(&file, records)) : NULL;

		if (!record)
			break;
		tell(&file, record);
		if (!change(&file, record, argv[2]))
			return 2;
	}
	return n || !save(&file.in, f);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/guest_records.h"

#include "files/perf_format.h"

#define MISC_SET (1u << 13) /* PERF_RECORD_MISC_COMM_EXEC, _SWITCH_OUT, _MMAP_DATA */
#define MISC_BUILD_ID (1u << 14)
#define PROT_READ_EXEC 5u
#define PROT_READ 1u
#define MAP_PRIVATE 2u

static void put_task(struct csg_perf_encode *r, int32_t first, int32_t second)
{
	csg_perf_encode_u32(r, (uint32_t)first);
	csg_perf_encode_u32(r, (uint32_t)second);
}

/* pid, tid, addr, len, pgoff, build ID or {maj, min, ino, generation}, prot, flags, name */
static void put_map(struct csg_perf_encode *r, const struct csg_sideband_event *event)
{
	uint8_t size = event->build_id_size;

	csg_perf_encode_begin(
		r, CSG_PERF_RECORD_MMAP2,
		(uint16_t)((event->kernel ? CSG_CPUMODE_GUEST_KERNEL : CSG_CPUMODE_GUEST_USER) |
			   (size ? MISC_BUILD_ID : 0)));
	put_task(r, event->pid, event->tid);
	csg_perf_encode_u64(r, event->start);
	csg_perf_encode_u64(r, event->length);
	csg_perf_encode_u64(r, event->file_offset);
	csg_perf_encode_u32(r, size); /* u8, and 3 bytes that are reserved */
	csg_perf_encode_bytes(r, event->build_id, sizeof(event->build_id));
	csg_perf_encode_u32(r, event->executable ? PROT_READ_EXEC : PROT_READ);
	csg_perf_encode_u32(r, MAP_PRIVATE);
	csg_perf_encode_text(r, event->path);
}

static void put_comm(struct csg_perf_encode *r, const struct csg_sideband_event *event)
{
	csg_perf_encode_begin(r, CSG_PERF_RECORD_COMM,
			      (uint16_t)(CSG_CPUMODE_GUEST_USER | (event->exec ? MISC_SET : 0)));
	put_task(r, event->pid, event->tid);
	csg_perf_encode_text(r, event->comm);
}

static void put_life(struct csg_perf_encode *r, const struct csg_sideband_event *event,
		     uint64_t time)
{
	csg_perf_encode_begin(
		r, event->kind == CSG_SIDEBAND_FORK ? CSG_PERF_RECORD_FORK : CSG_PERF_RECORD_EXIT,
		CSG_CPUMODE_GUEST_USER);
	put_task(r, event->pid, event->other_pid);
	put_task(r, event->tid, event->other_tid);
	csg_perf_encode_u64(r, time);
}

/* With the other thread's number it is SWITCH_CPU_WIDE. */
static void put_switch(struct csg_perf_encode *r, const struct csg_sideband_event *event)
{
	bool wide = event->other_tid >= 0;

	csg_perf_encode_begin(r, wide ? CSG_PERF_RECORD_SWITCH_CPU_WIDE : CSG_PERF_RECORD_SWITCH,
			      (uint16_t)(CSG_CPUMODE_GUEST_USER | (event->out ? MISC_SET : 0)));
	if (wide)
		put_task(r, event->other_pid, event->other_tid);
}

bool csg_guest_record(struct csg_perf_encode *record, const struct csg_sideband_event *event,
		      uint64_t time, uint64_t id)
{
	switch (event->kind) {
	case CSG_SIDEBAND_MAP:
		put_map(record, event);
		break;
	case CSG_SIDEBAND_COMM:
		put_comm(record, event);
		break;
	case CSG_SIDEBAND_FORK:
	case CSG_SIDEBAND_EXIT:
		put_life(record, event, time);
		break;
	case CSG_SIDEBAND_SWITCH:
		put_switch(record, event);
		break;
	default:
		return false;
	}
	put_task(record, event->pid, event->tid);
	csg_perf_encode_u64(record, time);
	csg_perf_encode_u64(record, event->cpu >= 0 ? (uint32_t)event->cpu : 0);
	csg_perf_encode_u64(record, id);
	return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/wake_events.h"

#include "encoder/tracing_data.h"
#include "suite.h"

static struct csg_wake_formats formats(void)
{
	struct csg_enc_bytes b = {0};
	struct csg_wake_formats f = {0};

	csg_enc_tracing_data(&b);
	csg_wake_formats_read(&f, b.data, b.size);
	csg_enc_bytes_fini(&b);
	return f;
}

static bool read_raw(const struct csg_wake_formats *f, const char *name, uint64_t config,
		     const struct csg_enc_bytes *b, struct csg_wake *wake)
{
	/* After the size. */
	return csg_wake_read(f, name, config, b->data + 4, b->size - 4, wake);
}

static void both_name_the_thread_and_the_wake_up_its_cpu(void)
{
	const struct csg_wake_formats f = formats();
	struct csg_enc_bytes waking = {0}, wakeup = {0};
	struct csg_wake w;

	csg_enc_wake(&waking, CSG_ENC_SCHED_WAKING, 7, 144, 1);
	csg_enc_wake(&wakeup, CSG_ENC_SCHED_WAKEUP, 7, 144, 3);
	CU_ASSERT(read_raw(&f, "sched:sched_waking", CSG_ENC_SCHED_WAKING, &waking, &w));
	CU_ASSERT(w.tid == 144 && w.cpu == -1);
	CU_ASSERT(read_raw(&f, "sched:sched_wakeup:k", CSG_ENC_SCHED_WAKEUP, &wakeup, &w));
	CU_ASSERT(w.tid == 144 && w.cpu == 3);
	csg_enc_bytes_fini(&waking);
	csg_enc_bytes_fini(&wakeup);
}

static void nothing_is_read_without_the_kernels_format(void)
{
	const struct csg_wake_formats none = {0}, f = formats();
	struct csg_enc_bytes wakeup = {0};
	struct csg_wake w;

	csg_enc_wake(&wakeup, CSG_ENC_SCHED_WAKEUP, 7, 144, 3);
	CU_ASSERT(!read_raw(&none, "sched:sched_wakeup", CSG_ENC_SCHED_WAKEUP, &wakeup, &w));
	CU_ASSERT(!read_raw(&f, "sched:sched_wakeup", 7, &wakeup, &w));
	CU_ASSERT(!read_raw(&f, "sched:sched_wakeup_new", CSG_ENC_SCHED_WAKEUP, &wakeup, &w));
	CU_ASSERT(!read_raw(&f, NULL, CSG_ENC_SCHED_WAKEUP, &wakeup, &w));
	CU_ASSERT(!csg_wake_read(&f, "sched:sched_wakeup", CSG_ENC_SCHED_WAKEUP, wakeup.data + 4,
				 20, &w));
	csg_enc_bytes_fini(&wakeup);
}

CSG_SUITE(recording_model, wake_events, CSG_TEST(both_name_the_thread_and_the_wake_up_its_cpu),
	  CSG_TEST(nothing_is_read_without_the_kernels_format));

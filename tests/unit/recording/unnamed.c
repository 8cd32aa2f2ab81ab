/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/unnamed.h"

#include <fcntl.h>

#include "recording/perf_bytes.h"
#include "suite.h"

#define FRAMES 4

/* The sources of a queue with a chunk of such frames. */
struct made {
	struct pb_dir dir;
	struct csg_recording *rec;
	struct pb_seen seen;
};

static void begin(struct made *made, const uint8_t (*frames)[16], size_t sources)
{
	const char *path;

	memset(made, 0, sizeof(*made));
	pb_dir_make(&made->dir);
	path = pb_write(&made->dir, "f", frames, FRAMES * 16);
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	CU_ASSERT_EQUAL(csg_store_add_file(made->rec, open(path, O_RDONLY), "f", FRAMES * 16), 0);
	*CSG_STORE_ADD(made->rec, chunks) =
		(struct csg_chunk){.framing = CSG_FRAMES, .bytes = FRAMES * 16};
	CU_ASSERT_EQUAL(csg_store_add_extent(made->rec, 0, 0, &made->rec->chunks[0].id), 0);
	for (size_t i = 0; i < sources; i++)
		CSG_STORE_ADD(made->rec, sources)->trace_id = (uint8_t)(0x10 + i);
	CU_ASSERT_EQUAL(csg_unnamed_find(made->rec), 0);
}

static void end(struct made *made)
{
	csg_recording_close(made->rec);
	pb_dir_remove(&made->dir);
}

static bool is_alone(const uint8_t (*frames)[16], size_t sources, size_t warnings)
{
	struct made made;
	bool alone;

	begin(&made, frames, sources);
	alone = made.rec->sources[0].alone;
	CU_ASSERT(made.rec->sources[0].first);
	CU_ASSERT_EQUAL(made.seen.warnings, warnings);
	if (warnings)
		CU_ASSERT_PTR_NOT_NULL(strstr(made.seen.text, "bytes of queue 0"));
	end(&made);
	return alone;
}

#define BARRIER                                                                                    \
	{                                                                                          \
		0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff,      \
			0xff, 0xff, 0x7f                                                           \
	}

static void frames_that_begin_with_an_id_need_nothing(void)
{
	static const uint8_t named[FRAMES][16] = {{0x21}, {2}, {2}, {2}};
	static const uint8_t after_barrier[FRAMES][16] = {BARRIER, {0x21}, {2}, {2}};
	static const uint8_t padded[FRAMES][16] = {{0}, {0}, {0x21}, {2}};

	CU_ASSERT_FALSE(is_alone(named, 1, 0));
	CU_ASSERT_FALSE(is_alone(after_barrier, 1, 0));
	CU_ASSERT_FALSE(is_alone(padded, 1, 0));
}

static void unnamed_frames_are_the_only_sources(void)
{
	static const uint8_t never[FRAMES][16] = {{2}, {2}, {2}, {2}};
	static const uint8_t later[FRAMES][16] = {BARRIER, {2}, {2, 1, 0x21}, {2}};
	static const uint8_t null_id[FRAMES][16] = {{2}, {0x21}, {2}, {1}};

	CU_ASSERT(is_alone(never, 1, 1));
	CU_ASSERT(is_alone(later, 1, 1));
	CU_ASSERT(is_alone(null_id, 1, 1));
}

static void of_two_sources_or_where_another_is_named_they_are_nobodys(void)
{
	static const uint8_t never[FRAMES][16] = {{2}, {2}, {2}, {2}};
	static const uint8_t another[FRAMES][16] = {{2}, {2}, {0x21}, {2, 3, 0x25}};

	CU_ASSERT_FALSE(is_alone(never, 2, 1));
	CU_ASSERT_FALSE(is_alone(another, 1, 1));
}

CSG_SUITE(recording, unnamed, CSG_TEST(frames_that_begin_with_an_id_need_nothing),
	  CSG_TEST(unnamed_frames_are_the_only_sources),
	  CSG_TEST(of_two_sources_or_where_another_is_named_they_are_nobodys));

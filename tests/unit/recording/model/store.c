/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/store.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

static void arrays_grow_and_keep_what_they_hold(void)
{
	struct csg_recording *rec = calloc(1, sizeof(*rec));

	for (uint32_t i = 0; i < 1000; i++)
		CSG_STORE_ADD(rec, chunks)->queue = i;
	CU_ASSERT_EQUAL(rec->n_chunks, 1000);
	for (uint32_t i = 0; i < 1000; i++) {
		CU_ASSERT_EQUAL(rec->chunks[i].queue, i);
		CU_ASSERT_EQUAL(rec->chunks[i].bytes, 0);
	}
	csg_recording_close(rec);
}

static void files_and_extents_have_numbers(void)
{
	struct csg_recording *rec = calloc(1, sizeof(*rec));
	int fd = open("/dev/null", O_RDONLY);
	uint32_t id;

	CU_ASSERT_EQUAL(csg_store_add_file(rec, fd, "a", 10), 0);
	CU_ASSERT_STRING_EQUAL(rec->files[0].path, "a");
	CU_ASSERT_EQUAL(rec->files[0].fd, fd);
	CU_ASSERT_EQUAL(csg_store_add_extent(rec, 0, 0x1000, &id), 0);
	CU_ASSERT_EQUAL(csg_store_add_extent(rec, 0, 0x2000, &id), 0);
	CU_ASSERT_EQUAL(id, 1);
	CU_ASSERT_EQUAL(rec->extents[id].offset, 0x2000);
	csg_recording_close(rec);
	CU_ASSERT_EQUAL(fcntl(fd, F_GETFD), -1);
}

static void the_first_damage_is_remembered(void)
{
	struct csg_recording *rec = calloc(1, sizeof(*rec));

	csg_store_damaged(rec, -CSG_E_TRUNCATED);
	csg_store_damaged(rec, CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_recording_damage(rec), -CSG_E_TRUNCATED);
	csg_recording_close(rec);
}

CSG_SUITE(recording_model, store, CSG_TEST(arrays_grow_and_keep_what_they_hold),
	  CSG_TEST(files_and_extents_have_numbers), CSG_TEST(the_first_damage_is_remembered));

/* SPDX-License-Identifier: BSD-3-Clause */
/* The index of a session's trace, in a file. */
#ifndef TESTS_UNIT_INDEX_FILE_H
#define TESTS_UNIT_INDEX_FILE_H

#include <stdio.h>

#include <CUnit/CUnit.h>

#include "csguest/shard.h"

static inline int index_file_write(void *f, const void *bytes, size_t n)
{
	return fwrite(bytes, 1, n, f) == n ? 0 : -1;
}

static inline void index_file(struct csg_session *session, const char *path)
{
	FILE *f = fopen(path, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL_FATAL(csg_shard_index(session, index_file_write, f), 0);
	CU_ASSERT_EQUAL(fclose(f), 0);
}

#endif

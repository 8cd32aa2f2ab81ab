/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Removes a folder and what is in it, without a process of its own: with sanitizers that costs more
 * than most tests.
 */
#ifndef TESTS_UNIT_REMOVE_TREE_H
#define TESTS_UNIT_REMOVE_TREE_H

#include <ftw.h>
#include <stdio.h>

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* 0, or -1 when something of it is still there. */
static inline int remove_tree(const char *path)
{
	return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif

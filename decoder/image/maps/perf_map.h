/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symbols of code that a program made while it ran, from the file /tmp/perf-PID.map that
 * runtimes write for perf (tools/perf/Documentation/jit-interface.txt): lines of "START SIZE
 * name", both numbers hexadecimal.  They hold names, never code.  Read below --symfs or the
 * guest's root only: the analysis machine's own /tmp belongs to other processes.
 */
#ifndef DECODER_IMAGE_MAPS_PERF_MAP_H
#define DECODER_IMAGE_MAPS_PERF_MAP_H

#include <stddef.h>

#include "image/elf/symtab.h"

struct csg_image;
struct csg_places;

/* Adds the symbols of a map file's text, and finishes the table.  Lines that are none are skipped.
 */
int csg_perf_map_parse(struct csg_symtab *table, const char *text, size_t size);

/*
 * Loads the map that the recording calls name; *found gets the path of the file read, in the
 * image's arena.  None is fine.
 */
int csg_perf_map_load(struct csg_symtab *table, struct csg_image *image,
		      const struct csg_places *places, const char *name, const char **found);

#endif

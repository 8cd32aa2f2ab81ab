/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of a text file that may be compressed with zstd (any number of frames, one after the
 * other): read forward, through buffers of bounded size.
 */
#ifndef DECODER_FILES_TEXT_LINES_H
#define DECODER_FILES_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CSG_TEXT_LINE_MAX 65536 /* bytes of a line, with its end */

struct csg_text_lines {
	FILE *f;
	const char *path;
	void *zstd;  /* ZSTD_DStream; NULL: the file is plain text */
	uint8_t *in; /* compressed bytes */
	size_t in_at, in_n;
	char *text; /* what is read and not yet taken */
	size_t at, n;
	bool frame_open; /* the file may not end here: inside a zstd frame */
	bool ended;
	uint64_t line;	 /* number of the line given last, from 1 */
	uint64_t offset; /* of that line in the text, bytes */
	uint64_t next;	 /* of the line after it */
};

/* 0, -CSG_E_NOT_FOUND, -CSG_E_IO or -CSG_E_NO_MEMORY; _close is safe even then.  path must stay. */
int csg_text_lines_open(struct csg_text_lines *file, const char *path);
void csg_text_lines_close(struct csg_text_lines *file);

/*
 * The next line, without its end and terminated by 0; it may be written to and is valid until the
 * next call.  1, 0 at the end of the file, -CSG_E_IO, -CSG_E_TRUNCATED where a zstd frame ends
 * early, -CSG_E_CORRUPT where zstd refuses, a line is too long or holds a 0 byte.
 */
int csg_text_lines_next(struct csg_text_lines *file, char **line);

/*
 * Goes to the line that began at this offset of the text and had this number: at once in plain
 * text, by reading from the beginning again in a compressed file, where only what was skipped
 * costs.
 */
int csg_text_lines_seek(struct csg_text_lines *file, uint64_t offset, uint64_t line);

#endif

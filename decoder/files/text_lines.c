/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/text_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "csguest/error.h"

#define IN_SIZE 65536
#define ZSTD_MAGIC 0xfd2fb528u
/* A frame may ask for a window; zstd -19 takes 8 MB, --ultra and --long more. */
#define WINDOW_LOG_MAX 27

static int begin(struct csg_text_lines *t)
{
	if (fseeko(t->f, 0, SEEK_SET))
		return -CSG_E_IO;
	clearerr(t->f);
	if (t->zstd)
		ZSTD_DCtx_reset(t->zstd, ZSTD_reset_session_only);
	t->in_at = t->in_n = t->at = t->n = 0;
	t->frame_open = t->ended = false;
	t->line = t->offset = t->next = 0;
	return 0;
}

static bool is_zstd(FILE *f)
{
	uint8_t b[4];

	return fread(b, 1, 4, f) == 4 &&
	       (b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24) == ZSTD_MAGIC;
}

int csg_text_lines_open(struct csg_text_lines *t, const char *path)
{
	struct stat st;

	memset(t, 0, sizeof(*t));
	t->path = path;
	t->f = fopen(path, "re");
	if (!t->f && errno == ENOMEM)
		return -CSG_E_NO_MEMORY;
	if (!t->f)
		return errno == ENOENT || errno == ENOTDIR ? -CSG_E_NOT_FOUND : -CSG_E_IO;
	if (fstat(fileno(t->f), &st) || !S_ISREG(st.st_mode))
		return -CSG_E_IO;
	t->text = malloc(CSG_TEXT_LINE_MAX);
	if (!t->text)
		return -CSG_E_NO_MEMORY;
	if (is_zstd(t->f)) {
		t->zstd = ZSTD_createDStream();
		t->in = malloc(IN_SIZE);
		if (!t->zstd || !t->in)
			return -CSG_E_NO_MEMORY;
		ZSTD_DCtx_setParameter(t->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	}
	return begin(t);
}

void csg_text_lines_close(struct csg_text_lines *t)
{
	if (t->f)
		fclose(t->f);
	ZSTD_freeDStream(t->zstd);
	free(t->in);
	free(t->text);
	memset(t, 0, sizeof(*t));
}

static int read_plain(struct csg_text_lines *t)
{
	size_t n = fread(t->text + t->n, 1, CSG_TEXT_LINE_MAX - t->n, t->f);

	t->n += n;
	t->ended = n == 0;
	return ferror(t->f) ? -CSG_E_IO : 0;
}

/* Decompresses at least a byte into text, or finds the end. */
static int read_zstd(struct csg_text_lines *t)
{
	size_t before = t->n;

	while (t->n == before) {
		ZSTD_inBuffer in = {t->in, t->in_n, t->in_at};
		ZSTD_outBuffer out = {t->text, CSG_TEXT_LINE_MAX, t->n};
		size_t ret;

		if (in.pos == in.size) {
			in.pos = t->in_at = 0;
			in.size = t->in_n = fread(t->in, 1, IN_SIZE, t->f);
			if (ferror(t->f))
				return -CSG_E_IO;
			t->ended = !in.size;
			if (t->ended && !t->frame_open)
				return 0;
		}
		ret = ZSTD_decompressStream(t->zstd, &out, &in);
		if (ZSTD_isError(ret))
			return -CSG_E_CORRUPT;
		t->in_at = in.pos;
		t->n = out.pos;
		t->frame_open = ret != 0;
		if (t->ended && t->n == before)
			return t->frame_open ? -CSG_E_TRUNCATED : 0;
		t->ended = false;
	}
	return 0;
}

/* Makes room and reads on.  0 also at the end. */
static int more(struct csg_text_lines *t)
{
	memmove(t->text, t->text + t->at, t->n - t->at);
	t->n -= t->at;
	t->at = 0;
	if (t->n == CSG_TEXT_LINE_MAX)
		return -CSG_E_CORRUPT;
	return t->zstd ? read_zstd(t) : read_plain(t);
}

int csg_text_lines_next(struct csg_text_lines *t, char **line)
{
	char *end;
	size_t n;
	int err;

	while (!(end = t->n > t->at ? memchr(t->text + t->at, '\n', t->n - t->at) : NULL)) {
		if (t->ended) {
			/* A last line without an end is cut short. */
			return t->n == t->at ? 0 : -CSG_E_TRUNCATED;
		}
		err = more(t);
		if (err)
			return err;
	}
	*line = t->text + t->at;
	n = (size_t)(end - *line);
	if (memchr(*line, 0, n))
		return -CSG_E_CORRUPT;
	*end = 0;
	t->at += n + 1;
	t->offset = t->next;
	t->next += n + 1;
	t->line++;
	return 1;
}

int csg_text_lines_seek(struct csg_text_lines *t, uint64_t offset, uint64_t line)
{
	char *text;
	int err;

	if (!t->zstd) {
		err = begin(t);
		if (err || fseeko(t->f, (off_t)offset, SEEK_SET))
			return -CSG_E_IO;
		t->next = offset;
		t->line = line - 1;
		return 0;
	}
	err = t->next > offset ? begin(t) : 0;
	while (!err && t->next < offset) {
		err = csg_text_lines_next(t, &text);
		err = err > 0 ? 0 : err < 0 ? err : -CSG_E_TRUNCATED;
	}
	return err;
}

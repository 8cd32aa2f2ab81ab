/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/inputs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "util/array.h"

#define DEPTH_MAX 8 /* of directories: a kcore_dir lies two levels below a recording */

void csg_inputs_fini(struct csg_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		free(inputs->files[i].path);
	free(inputs->files);
	*inputs = (struct csg_inputs){0};
}

static int add_file(struct csg_inputs *inputs, const char *path, const struct stat *st)
{
	char *copy = strdup(path);

	if (!copy || csg_array_grow((void **)&inputs->files, inputs->count, &inputs->capacity,
				    sizeof(*inputs->files))) {
		free(copy);
		return -CSG_E_NO_MEMORY;
	}
	inputs->files[inputs->count++] = (struct csg_input_file){st->st_dev, st->st_ino, copy};
	return 0;
}

static int add(struct csg_inputs *inputs, const char *path, int depth);

static int add_directory(struct csg_inputs *inputs, const char *path, int depth)
{
	DIR *stream = depth < DEPTH_MAX ? opendir(path) : NULL;
	struct dirent *entry;
	char *file;
	int err = 0;

	while (stream && !err && (entry = readdir(stream))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (asprintf(&file, "%s/%s", path, entry->d_name) < 0) {
			err = -CSG_E_NO_MEMORY;
			break;
		}
		err = add(inputs, file, depth + 1);
		free(file);
	}
	if (stream)
		closedir(stream);
	return err;
}

static int add(struct csg_inputs *inputs, const char *path, int depth)
{
	struct stat st;

	if (stat(path, &st))
		return 0;
	return S_ISDIR(st.st_mode) ? add_directory(inputs, path, depth)
				   : add_file(inputs, path, &st);
}

int csg_inputs_add(struct csg_inputs *inputs, const char *path)
{
	struct stat st;

	if (!path)
		return 0;
	if (strcmp(path, "-"))
		return add(inputs, path, 0);
	return fstat(STDIN_FILENO, &st) ? 0 : add_file(inputs, "standard input", &st);
}

const char *csg_inputs_find(const struct csg_inputs *inputs, const struct stat *st)
{
	if (S_ISCHR(st->st_mode) || S_ISSOCK(st->st_mode))
		return NULL;
	for (size_t i = 0; i < inputs->count; i++)
		if (inputs->files[i].device == st->st_dev && inputs->files[i].inode == st->st_ino)
			return inputs->files[i].path;
	return NULL;
}

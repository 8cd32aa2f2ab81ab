/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/anonym_key.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"

/* Reads the key file: how many bytes it has, or -1: errno says why. */
static ssize_t read_key(const char *path, unsigned char key[CSG_ANONYM_KEY_MAX])
{
	FILE *file = fopen(path, "re");
	size_t n = file ? fread(key, 1, CSG_ANONYM_KEY_MAX, file) : 0;
	bool failed = !file || ferror(file);

	if (file)
		fclose(file);
	return failed ? -1 : (ssize_t)n;
}

int csg_anonym_key_take(const char *command, const char *path, struct csg_anonym *tokens)
{
	unsigned char key[CSG_ANONYM_KEY_MAX];
	ssize_t n = read_key(path, key);

	if (n < 0)
		return csg_usage_error(command, "--anonymise-key: %s: %s", path, strerror(errno));
	if (n < CSG_ANONYM_KEY_MIN)
		return csg_usage_error(
			command,
			"--anonymise-key: %s is shorter than %d bytes: make one with "
			"'head -c 32 /dev/urandom'",
			path, CSG_ANONYM_KEY_MIN);
	csg_anonym_init(tokens, key, (size_t)n);
	explicit_bzero(key, sizeof(key));
	return 0;
}

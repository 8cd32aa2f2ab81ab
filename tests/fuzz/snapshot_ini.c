/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenCSD snapshot directories.  The input holds all files of one: a line "==> NAME <==" begins
 * each (as head(1) prints them), NAME being one of those below.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "fuzz/recording.h"

static const char *const names[] = {
	"snapshot.ini", "trace.ini", "cpu_0.ini", "cpu_1.ini",
	"device_2.ini", "trace.bin", "dump.bin",
};
#define NAMES (sizeof(names) / sizeof(names[0]))

static char directory[128];

static char *path_of(size_t name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", directory, names[name]);
	return path;
}

static void clear(void)
{
	for (size_t i = 0; i < NAMES; i++)
		unlink(path_of(i));
}

static void remove_directory(void)
{
	clear();
	rmdir(directory);
}

static void make_directory(void)
{
	const char *tmp = getenv("TMPDIR");

	if (!access("/dev/shm", W_OK))
		tmp = "/dev/shm";
	snprintf(directory, sizeof(directory), "%s/csguest-fuzz.XXXXXX", tmp ? tmp : "/tmp");
	fuzz_require(mkdtemp(directory) != NULL, "no directory");
	atexit(remove_directory);
}

static void write_file(size_t name, const uint8_t *data, size_t size)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	fuzz_require(fd >= 0 && write(fd, data, size) == (ssize_t)size, "file not written");
	close(fd);
}

/* Which file the line at data begins, and the length of the line; NAMES: none. */
static size_t heading(const uint8_t *data, size_t size, size_t *len)
{
	char line[64];

	for (size_t i = 0; i < NAMES; i++) {
		*len = (size_t)snprintf(line, sizeof(line), "==> %s <==\n", names[i]);
		if (*len <= size && !memcmp(data, line, *len))
			return i;
	}
	return NAMES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t file = 0, begin = 0, name, len;

	if (!directory[0])
		make_directory();
	clear();
	for (size_t at = 0; at < size; at++) {
		if (data[at] != '=' || (at && data[at - 1] != '\n'))
			continue;
		name = heading(data + at, size - at, &len);
		if (name == NAMES)
			continue;
		if (at)
			write_file(file, data + begin, at - begin);
		file = name;
		begin = at + len;
	}
	if (begin <= size)
		write_file(file, data + begin, size - begin);
	fuzz_recording(directory);
	return 0;
}

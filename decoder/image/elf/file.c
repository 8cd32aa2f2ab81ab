/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"

#define UNSIZED_FIRST ((size_t)1 << 20)
#define UNSIZED_MAX                                                                                \
	((size_t)256 << 20) /* /proc/kallsyms of a distribution's kernel is some 12 MB */

/* Reads what fd has from its beginning to its end into a map of *room bytes: how many, or an
 * error. */
static ssize_t read_all(int fd, uint8_t **map, size_t *capacity)
{
	size_t size = 0;

	for (;;) {
		ssize_t n = read(fd, *map + size, *capacity - size);
		void *more;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -CSG_E_IO;
		if (!n)
			return (ssize_t)size;
		size += (size_t)n;
		if (size < *capacity)
			continue;
		if (*capacity == UNSIZED_MAX)
			return -CSG_E_LIMIT;
		more = mremap(*map, *capacity, 2 * *capacity, MREMAP_MAYMOVE);
		if (more == MAP_FAILED)
			return -CSG_E_NO_MEMORY;
		*map = more;
		*capacity *= 2;
	}
}

/* Files of /proc and /sys have the size 0, whatever they hold. */
static int read_unsized(struct csg_file *file, int fd)
{
	size_t capacity = UNSIZED_FIRST;
	uint8_t *map =
		mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ssize_t size;
	void *fits;

	if (map == MAP_FAILED)
		return -CSG_E_NO_MEMORY;
	size = read_all(fd, &map, &capacity);
	if (size <= 0) {
		munmap(map, capacity);
		return (int)size;
	}
	fits = mremap(map, capacity, (size_t)size, 0);
	if (fits == MAP_FAILED) {
		munmap(map, capacity);
		return -CSG_E_NO_MEMORY;
	}
	*file = (struct csg_file){.data = fits, .size = (size_t)size};
	return 0;
}

int csg_file_map(struct csg_file *file, const char *path)
{
	/* O_NONBLOCK: opening a pipe by mistake must not wait for its writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *map;

	*file = (struct csg_file){0};
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? -CSG_E_NOT_FOUND : -CSG_E_IO;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > SIZE_MAX) {
		close(fd);
		return -CSG_E_IO;
	}
	if (!st.st_size) {
		int err = read_unsized(file, fd);

		close(fd);
		return err;
	}
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return errno == ENOMEM ? -CSG_E_NO_MEMORY : -CSG_E_IO;
	file->data = map;
	file->size = st.st_size;
	file->backed = true;
	return 0;
}

void csg_file_unmap(struct csg_file *file)
{
	if (file->data)
		munmap((void *)file->data, file->size);
	*file = (struct csg_file){0};
}

bool csg_file_is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

bool csg_file_is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

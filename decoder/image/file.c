/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"

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
		close(fd);
		return 0;
	}
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return errno == ENOMEM ? -CSG_E_NO_MEMORY : -CSG_E_IO;
	file->data = map;
	file->size = st.st_size;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a file shorter while a program reads it: LD_PRELOAD this, set SHRINK_FILE to its path and
 * SHRINK_TO to the bytes that are to be left (0).
 *
 * It is cut right after the Nth (SHRINK_AT, 1) time that it was mapped or read from, by the program
 * or by a library.  With SHRINK_COUNT=FILE, how often that was goes to that file at the end.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The function of this name that would be called without this file. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static struct stat victim;
static bool known;
static long counted, at = 1, left;

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("SHRINK_FILE"), *number = getenv("SHRINK_AT");
	const char *bytes = getenv("SHRINK_TO");

	known = path && !stat(path, &victim);
	at = number ? atol(number) : 1;
	left = bytes ? atol(bytes) : 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("SHRINK_COUNT");
	char text[32];
	int fd, n;

	if (!path || (fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666)) < 0)
		return;
	n = snprintf(text, sizeof(text), "%ld\n", counted);
	if (write(fd, text, (size_t)n) != n)
		_exit(99);
	close(fd);
}

static void used(int fd)
{
	struct stat st;

	if (!known || fd < 0 || fstat(fd, &st) || st.st_dev != victim.st_dev ||
	    st.st_ino != victim.st_ino)
		return;
	if (__atomic_add_fetch(&counted, 1, __ATOMIC_RELAXED) == at &&
	    truncate(getenv("SHRINK_FILE"), left))
		_exit(98);
}

void *mmap(void *addr, size_t n, int prot, int flags, int fd, off_t offset)
{
	void *map = REAL(mmap)(addr, n, prot, flags, fd, offset);

	used(fd);
	return map;
}

ssize_t pread(int fd, void *to, size_t n, off_t offset)
{
	ssize_t got = REAL(pread)(fd, to, n, offset);

	used(fd);
	return got;
}

ssize_t read(int fd, void *to, size_t n)
{
	ssize_t got = REAL(read)(fd, to, n);

	used(fd);
	return got;
}

/* The same functions, by the names that programs of 64-bit machines may ask for. */
void *mmap64(void *addr, size_t n, int prot, int flags, int fd, off_t offset)
	__attribute__((alias("mmap")));
ssize_t pread64(int fd, void *to, size_t n, off_t offset) __attribute__((alias("pread")));

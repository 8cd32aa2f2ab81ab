/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes one allocation of a program fail: LD_PRELOAD this and set NO_MEMORY_AT=N.
 *
 * Counted, from 1, are the allocations that the program's own objects ask for, also through libc
 * (strdup(), fopen()); those of shared libraries succeed, unless NO_MEMORY_IN names a part of the
 * caller's path ("libelf"), when only those are counted.  With NO_MEMORY_COUNT=FILE the number of
 * those that were counted goes to that file at the end.  With NO_MEMORY_FROM=1 all from the Nth on
 * fail. With NO_MEMORY_WHERE=FILE the address in the program that asked for the one that failed
 * goes there, for addr2line, and those of its callers, one per line.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANGES 16
#define FRAMES 8

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);

static struct {
	uintptr_t begin, end;
} ranges[RANGES];
static size_t ranges_n;
static uintptr_t base; /* of what was named */
static long counted, at;
static bool ready, from;

/* Of the program where nothing is named: its path is empty here. */
static int add_range(struct dl_phdr_info *info, size_t size, void *name)
{
	(void)size;
	if (name ? !strstr(info->dlpi_name, name) : info->dlpi_name[0] != 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum && ranges_n < RANGES; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		base = info->dlpi_addr;
		ranges[ranges_n].begin = info->dlpi_addr + p->p_vaddr;
		ranges[ranges_n++].end = info->dlpi_addr + p->p_vaddr + p->p_memsz;
	}
	return 0;
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("NO_MEMORY_AT");

	at = text ? atol(text) : 0;
	from = getenv("NO_MEMORY_FROM") != NULL;
	dl_iterate_phdr(add_range, getenv("NO_MEMORY_IN"));
	ready = true;
}

/* To the file that a variable names, if it is set. */
static void put(const char *variable, const char *text)
{
	const char *path = getenv(variable);
	ssize_t n = (ssize_t)strlen(text);
	int fd;

	if (!path || (fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666)) < 0)
		return;
	if (write(fd, text, (size_t)n) != n)
		_exit(99);
	close(fd);
}

/* Who asked for it, innermost first; this file's own frames are in no range. */
static void put_callers(void)
{
	void *frames[FRAMES];
	int n = backtrace(frames, FRAMES);
	char text[FRAMES * 24];
	size_t length = 0;

	for (int i = 0; i < n; i++)
		for (size_t r = 0; r < ranges_n; r++)
			if ((uintptr_t)frames[i] >= ranges[r].begin &&
			    (uintptr_t)frames[i] < ranges[r].end)
				length += (size_t)snprintf(text + length, 24, "0x%lx\n",
							   (uintptr_t)frames[i] - 1 - base);
	text[length] = '\0';
	put("NO_MEMORY_WHERE", text);
}

__attribute__((destructor)) static void end(void)
{
	char text[24];

	snprintf(text, sizeof(text), "%ld\n", counted);
	put("NO_MEMORY_COUNT", text);
}

/* Whether this allocation, asked for at an address, fails. */
static bool fails(const void *caller)
{
	long n;

	for (size_t i = 0; ready && i < ranges_n; i++) {
		if ((uintptr_t)caller < ranges[i].begin || (uintptr_t)caller >= ranges[i].end)
			continue;
		n = __atomic_add_fetch(&counted, 1, __ATOMIC_RELAXED);
		if (!at || (from ? n < at : n != at))
			return false;
		ready = false; /* what backtrace() asks for succeeds */
		put_callers();
		ready = from;
		errno = ENOMEM;
		return true;
	}
	return false;
}

#define FAILS() fails(__builtin_return_address(0))
/* The function of this name that would be called without this file. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *malloc(size_t n)
{
	return FAILS() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return FAILS() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t n)
{
	return FAILS() ? NULL : __libc_realloc(old, n);
}

void *reallocarray(void *old, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return FAILS() ? NULL : __libc_realloc(old, all);
}

void *aligned_alloc(size_t alignment, size_t n)
{
	return FAILS() ? NULL : __libc_memalign(alignment, n);
}

char *strdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = FAILS() ? NULL : __libc_malloc(n);

	return copy ? memcpy(copy, s, n) : NULL;
}

char *strndup(const char *s, size_t max)
{
	size_t n = strnlen(s, max);
	char *copy = FAILS() ? NULL : __libc_malloc(n + 1);

	if (copy)
		*(char *)mempcpy(copy, s, n) = 0;
	return copy;
}

int vasprintf(char **text, const char *format, va_list args)
{
	return FAILS() ? -1 : REAL(vasprintf)(text, format, args);
}

int asprintf(char **text, const char *format, ...)
{
	va_list args;
	int n;

	if (FAILS())
		return -1;
	va_start(args, format);
	n = REAL(vasprintf)(text, format, args);
	va_end(args);
	return n;
}

FILE *fopen(const char *path, const char *mode)
{
	return FAILS() ? NULL : REAL(fopen)(path, mode);
}

FILE *fdopen(int fd, const char *mode)
{
	return FAILS() ? NULL : REAL(fdopen)(fd, mode);
}

DIR *opendir(const char *path)
{
	return FAILS() ? NULL : REAL(opendir)(path);
}

int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	return FAILS() ? -1 : REAL(scandir)(path, list, filter, compare);
}

char *realpath(const char *path, char *resolved)
{
	return FAILS() ? NULL : REAL(realpath)(path, resolved);
}

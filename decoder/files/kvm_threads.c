/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/kvm_threads.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KVM_RUN 0xae80u
#define ATTEMPTS 50
#define PAUSE_US 2000
#define VCPUS 512 /* KVM_MAX_VCPUS of arm64 */
#define VM_LINK "anon_inode:kvm-vm"
#define VCPU_LINK "anon_inode:kvm-vcpu:"

struct finder {
	const char *root;
	int32_t pid;
	bool known[VCPUS];
	struct csg_kvm_threads *threads;
	csg_kvm_thread_fn fn;
	void *arg;
};

/* What descriptor name of the process is; false: cannot be read. */
static bool descriptor(const struct finder *f, const char *name, char *link, size_t size)
{
	char path[4096];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/proc/%d/fd/%s", f->root, f->pid, name);
	n = readlink(path, link, size - 1);
	link[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* Calls fn with the name of each entry of a folder of the process, until it returns other than
 * 0. */
static int each(struct finder *f, const char *folder, int (*fn)(struct finder *f, const char *name))
{
	char path[4096];
	struct dirent *entry;
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/proc/%d/%s", f->root, f->pid, folder);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			ret = fn(f, entry->d_name);
	closedir(dir);
	return ret;
}

static int count(struct finder *f, const char *name)
{
	char link[64];

	if (!descriptor(f, name, link, sizeof(link)))
		return 0;
	f->threads->vms += !strcmp(link, VM_LINK);
	f->threads->vcpus += !strncmp(link, VCPU_LINK, strlen(VCPU_LINK));
	return 0;
}

/* "29 0xd 0xae80 ...": the number of a system call and its arguments. */
static bool in_kvm_run(const struct finder *f, const char *tid, char *fd, size_t size)
{
	unsigned long long number, first, request;
	char path[4096], line[256];
	FILE *file;
	bool in;

	snprintf(path, sizeof(path), "%s/proc/%d/task/%s/syscall", f->root, f->pid, tid);
	file = fopen(path, "re");
	in = file && fgets(line, sizeof(line), file) &&
	     sscanf(line, "%llu %llx %llx", &number, &first, &request) == 3 && request == KVM_RUN;
	if (file)
		fclose(file);
	if (in)
		snprintf(fd, size, "%llu", first);
	return in;
}

static int ask(struct finder *f, const char *tid)
{
	char fd[24], link[64], rest;
	int vcpu;

	if (!in_kvm_run(f, tid, fd, sizeof(fd)) || !descriptor(f, fd, link, sizeof(link)) ||
	    sscanf(link, VCPU_LINK "%d%c", &vcpu, &rest) != 1 || vcpu < 0 || vcpu >= VCPUS ||
	    f->known[vcpu])
		return 0;
	f->known[vcpu] = true;
	f->threads->found++;
	return f->fn(f->arg, vcpu, (int32_t)strtol(tid, NULL, 10));
}

int csg_kvm_threads_find(const char *root, int32_t pid, struct csg_kvm_threads *threads,
			 csg_kvm_thread_fn fn, void *arg)
{
	struct finder f = {.root = root, .pid = pid, .threads = threads, .fn = fn, .arg = arg};
	int ret = 0;

	*threads = (struct csg_kvm_threads){0};
	each(&f, "fd", count);
	if (threads->vms > 1)
		return 0;
	for (int i = 0; !ret && i < ATTEMPTS && threads->found < threads->vcpus; i++) {
		if (i)
			usleep(PAUSE_US);
		ret = each(&f, "task", ask);
	}
	return ret;
}

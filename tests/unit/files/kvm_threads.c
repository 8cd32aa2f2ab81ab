/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/kvm_threads.h"

static char root[64], seen[256];
static struct csg_kvm_threads threads;

static const char *place(const char *path)
{
	static char whole[512];

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = 0;
		mkdir(whole, 0777);
		*at = '/';
	}
	return whole;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(place(path), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs(text, f);
	fclose(f);
}

static void descriptor(const char *path, const char *what)
{
	CU_ASSERT_EQUAL_FATAL(symlink(what, place(path)), 0);
}

/* A VMM with two vCPUs, one of which is on a CPU: what an emulated arm64 host with Linux 6.12
 * shows. */
static void begin(void)
{
	strcpy(root, "/tmp/csguest-unit.XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
	descriptor("proc/156/fd/7", "/dev/kvm");
	descriptor("proc/156/fd/8", "anon_inode:kvm-vm");
	descriptor("proc/156/fd/12", "anon_inode:kvm-vcpu:0");
	descriptor("proc/156/fd/13", "anon_inode:kvm-vcpu:1");
	put("proc/156/task/156/syscall",
	    "73 0xaaab05 0x9 0xffffd5 0x0 0x0 0x8 0xffffd5 0xffff85\n");
	put("proc/156/task/164/syscall", "running\n");
	put("proc/156/task/165/syscall", "29 0xd 0xae80 0x0 0x0 0x0 0x0 0xffff7d 0xffff85\n");
}

static int away(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void end(void)
{
	nftw(root, away, 8, FTW_DEPTH | FTW_PHYS);
}

static int take(void *arg, int vcpu, int32_t tid)
{
	(void)arg;
	snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%d:%d ", vcpu, tid);
	return 0;
}

static const char *find(void)
{
	seen[0] = 0;
	CU_ASSERT_EQUAL(csg_kvm_threads_find(root, 156, &threads, take, NULL), 0);
	return seen;
}

static void a_thread_that_sleeps_in_kvm_run_is_a_vcpu(void)
{
	begin();
	CU_ASSERT_STRING_EQUAL(find(), "1:165 ");
	CU_ASSERT_EQUAL(threads.vcpus, 2);
	CU_ASSERT_EQUAL(threads.found, 1);
	put("proc/156/task/164/syscall", "29 0xc 0xae80 0x0 0x0 0x0 0x0 0xffff7e 0xffff85\n");
	find();
	CU_ASSERT_PTR_NOT_NULL(strstr(seen, "0:164 "));
	CU_ASSERT_EQUAL(threads.found, 2);
	end();
}

static void another_ioctl_is_none(void)
{
	begin();
	put("proc/156/task/165/syscall", "29 0xd 0xae81 0x0 0x0 0x0 0x0 0xffff7d 0xffff85\n");
	CU_ASSERT_STRING_EQUAL(find(), "");
	put("proc/156/task/165/syscall", "29 0x7 0xae80 0x0 0x0 0x0 0x0 0xffff7d 0xffff85\n");
	CU_ASSERT_STRING_EQUAL(find(), "");
	end();
}

static void what_is_named_like_a_vcpu_is_none(void)
{
	static const char *const links[] = {"anon_inode:kvm-vcpu:1 ", "anon_inode:kvm-vcpu:-1",
					    "anon_inode:kvm-vcpu:512", "anon_inode:kvm-vcpu-stats"};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		begin();
		unlink(place("proc/156/fd/13"));
		descriptor("proc/156/fd/13", links[i]);
		CU_ASSERT_STRING_EQUAL(find(), "");
		CU_ASSERT_EQUAL(threads.vcpus, i < 3 ? 2 : 1);
		end();
	}
}

static void whose_a_vcpu_is_must_be_clear(void)
{
	begin();
	descriptor("proc/156/fd/20", "anon_inode:kvm-vm");
	CU_ASSERT_STRING_EQUAL(find(), "");
	CU_ASSERT_EQUAL(threads.vms, 2);
	end();
}

static void a_process_that_is_not_there_has_none(void)
{
	strcpy(root, "/nowhere");
	CU_ASSERT_STRING_EQUAL(find(), "");
	CU_ASSERT_EQUAL(threads.vcpus, 0);
}

CSG_SUITE(files, kvm_threads, CSG_TEST(a_thread_that_sleeps_in_kvm_run_is_a_vcpu),
	  CSG_TEST(another_ioctl_is_none), CSG_TEST(what_is_named_like_a_vcpu_is_none),
	  CSG_TEST(whose_a_vcpu_is_must_be_clear), CSG_TEST(a_process_that_is_not_there_has_none));

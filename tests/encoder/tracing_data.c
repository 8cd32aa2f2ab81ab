/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/tracing_data.h"

#include <stdio.h>
#include <string.h>

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";
static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n";
static const char common[] = "format:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			     "\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
static const char entry[] = "\tfield:unsigned long vcpu_pc;\toffset:8;\tsize:8;\tsigned:0;\n\n"
			    "print fmt: \"PC: 0x%016lx\", REC->vcpu_pc\n";
static const char out[] = "\tfield:int ret;\toffset:8;\tsize:4;\tsigned:1;\n"
			  "\tfield:unsigned int esr_ec;\toffset:12;\tsize:4;\tsigned:0;\n"
			  "\tfield:unsigned long vcpu_pc;\toffset:16;\tsize:8;\tsigned:0;\n\n"
			  "print fmt: \"%d: HSR_EC: 0x%04x, PC: 0x%016lx\", REC->ret, "
			  "REC->esr_ec, REC->vcpu_pc\n";

static const char wake[] = "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			   "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			   "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
			   "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\n"
			   "print fmt: \"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, "
			   "REC->pid, REC->prio, REC->target_cpu\n";

static void put_text(struct csg_enc_bytes *b, const char *text)
{
	csg_enc_bytes_put(b, text, strlen(text) + 1);
}

/* u64 size, then the text without its 0. */
static void put_file(struct csg_enc_bytes *b, const char *text)
{
	csg_enc_bytes_u64(b, strlen(text));
	csg_enc_bytes_put(b, text, strlen(text));
}

static void put_format(struct csg_enc_bytes *b, const char *name, unsigned id, const char *fields)
{
	char text[1024];

	snprintf(text, sizeof(text), "name: %s\nID: %u\n%s%s", name, id, common, fields);
	put_file(b, text);
}

void csg_enc_tracing_data(struct csg_enc_bytes *b)
{
	csg_enc_bytes_put(b, "\027\010\104tracing", 10);
	put_text(b, "0.6");
	csg_enc_bytes_put(b, "\0\010", 2); /* little endian, bytes of a long */
	csg_enc_bytes_u32(b, 4096);
	put_text(b, "header_page");
	put_file(b, header_page);
	put_text(b, "header_event");
	put_file(b, header_event);
	csg_enc_bytes_u32(b, 0); /* ftrace's own */
	csg_enc_bytes_u32(b, 2);
	put_text(b, "kvm");
	csg_enc_bytes_u32(b, 2);
	put_format(b, "kvm_exit", CSG_ENC_KVM_EXIT, out);
	put_format(b, "kvm_entry", CSG_ENC_KVM_ENTRY, entry);
	put_text(b, "sched");
	csg_enc_bytes_u32(b, 2);
	put_format(b, "sched_wakeup", CSG_ENC_SCHED_WAKEUP, wake);
	put_format(b, "sched_waking", CSG_ENC_SCHED_WAKING, wake);
	csg_enc_bytes_u32(b, 0); /* symbols */
	csg_enc_bytes_u32(b, 0); /* printk formats */
	csg_enc_bytes_u64(b, 0); /* names of commands */
}

static void put_common(struct csg_enc_bytes *b, uint16_t type, uint32_t tid)
{
	csg_enc_bytes_u16(b, type);
	csg_enc_bytes_u16(b, 0x0100); /* not preemptible */
	csg_enc_bytes_u32(b, tid);
}

void csg_enc_kvm_entry(struct csg_enc_bytes *b, uint32_t tid, uint64_t pc)
{
	csg_enc_bytes_u32(b, 20);
	put_common(b, CSG_ENC_KVM_ENTRY, tid);
	csg_enc_bytes_u64(b, pc);
	csg_enc_bytes_u32(b, 0);
}

void csg_enc_kvm_exit(struct csg_enc_bytes *b, uint32_t tid, uint32_t ret, uint32_t esr_ec,
		      uint64_t pc)
{
	csg_enc_bytes_u32(b, 28);
	put_common(b, CSG_ENC_KVM_EXIT, tid);
	csg_enc_bytes_u32(b, ret);
	csg_enc_bytes_u32(b, esr_ec);
	csg_enc_bytes_u64(b, pc);
	csg_enc_bytes_u32(b, 0);
}

void csg_enc_wake(struct csg_enc_bytes *b, uint16_t type, uint32_t by, uint32_t tid,
		  uint32_t target_cpu)
{
	static const char comm[16] = "woken";

	csg_enc_bytes_u32(b, 36);
	put_common(b, type, by);
	csg_enc_bytes_put(b, comm, sizeof(comm));
	csg_enc_bytes_u32(b, tid);
	csg_enc_bytes_u32(b, 120);
	csg_enc_bytes_u32(b, target_cpu);
}

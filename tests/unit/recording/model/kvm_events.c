/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/kvm_events.h"

#include <string.h>

#include "encoder/tracing_data.h"
#include "suite.h"

#define PC UINT64_C(0xffff800080f1792c)

static struct csg_kvm_formats formats(void)
{
	struct csg_enc_bytes b = {0};
	struct csg_kvm_formats f = {0};

	csg_enc_tracing_data(&b);
	csg_kvm_formats_read(&f, b.data, b.size);
	csg_enc_bytes_fini(&b);
	return f;
}

static bool read_raw(const struct csg_kvm_formats *f, const char *name, uint64_t config,
		     const struct csg_enc_bytes *b, struct csg_kvm_event *event)
{
	/* After the size. */
	return csg_kvm_event_read(f, name, config, b->data + 4, b->size - 4, event);
}

static void entries_and_exits_are_read_by_their_formats(void)
{
	const struct csg_kvm_formats f = formats();
	struct csg_enc_bytes in = {0}, out = {0};
	struct csg_kvm_event e;

	csg_enc_kvm_entry(&in, 144, PC);
	csg_enc_kvm_exit(&out, 144, 2, 0x24, PC + 4);
	CU_ASSERT(read_raw(&f, "kvm:kvm_entry", CSG_ENC_KVM_ENTRY, &in, &e));
	CU_ASSERT(!e.exit && e.has_pc && e.pc == PC);
	CU_ASSERT(read_raw(&f, "kvm:kvm_exit:k", CSG_ENC_KVM_EXIT, &out, &e));
	CU_ASSERT(e.exit && e.has_pc && e.pc == PC + 4 && e.ret == 2 && e.esr_ec == 0x24);
	csg_enc_bytes_fini(&in);
	csg_enc_bytes_fini(&out);
}

static void without_its_format_only_who_reported_is_known(void)
{
	const struct csg_kvm_formats none = {0}, f = formats();
	struct csg_enc_bytes in = {0};
	struct csg_kvm_event e;

	csg_enc_kvm_entry(&in, 144, PC);
	CU_ASSERT(read_raw(&none, "kvm:kvm_entry", CSG_ENC_KVM_ENTRY, &in, &e));
	CU_ASSERT(!e.exit && !e.has_pc);
	/* The format is another kernel's: the event has another number. */
	CU_ASSERT(read_raw(&f, "kvm:kvm_entry", 7, &in, &e));
	CU_ASSERT(!e.has_pc);
	CU_ASSERT(csg_kvm_event_read(&f, "kvm:kvm_exit", CSG_ENC_KVM_EXIT, NULL, 0, &e));
	CU_ASSERT(e.exit && !e.has_pc);
	CU_ASSERT(csg_kvm_event_read(&f, "kvm:kvm_exit", CSG_ENC_KVM_EXIT, in.data, 16, &e));
	CU_ASSERT(!e.has_pc);
	csg_enc_bytes_fini(&in);
}

static void what_kvm_emulates_for_a_guest_hypervisor_is_known(void)
{
	static const char *const names[] = {"kvm:kvm_nested_eret",
					    "kvm:kvm_inject_nested_exception:u"};
	const struct csg_kvm_formats f = formats();
	struct csg_enc_bytes in = {0};
	struct csg_kvm_event e;

	csg_enc_kvm_entry(&in, 144, PC);
	for (size_t i = 0; i < 2; i++) {
		CU_ASSERT(read_raw(&f, names[i], CSG_ENC_KVM_ENTRY, &in, &e));
		CU_ASSERT(e.nested && !e.has_pc && !e.exit);
	}
	CU_ASSERT(read_raw(&f, "kvm:kvm_entry", CSG_ENC_KVM_ENTRY, &in, &e));
	CU_ASSERT(!e.nested);
	CU_ASSERT(!csg_kvm_event_read(&f, "kvm:kvm_nested_eret2", CSG_ENC_KVM_ENTRY, NULL, 0, &e));
	csg_enc_bytes_fini(&in);
}

static void other_events_are_not_them(void)
{
	const struct csg_kvm_formats f = formats();
	struct csg_kvm_event e;

	CU_ASSERT(!csg_kvm_event_read(&f, "kvm:kvm_entry2", CSG_ENC_KVM_ENTRY, NULL, 0, &e));
	CU_ASSERT(!csg_kvm_event_read(&f, "kvm:kvm_exi", CSG_ENC_KVM_EXIT, NULL, 0, &e));
	CU_ASSERT(!csg_kvm_event_read(&f, "dummy:u", 0, NULL, 0, &e));
	CU_ASSERT(!csg_kvm_event_read(&f, NULL, CSG_ENC_KVM_ENTRY, NULL, 0, &e));
}

CSG_SUITE(recording_model, kvm_events, CSG_TEST(entries_and_exits_are_read_by_their_formats),
	  CSG_TEST(without_its_format_only_who_reported_is_known),
	  CSG_TEST(what_kvm_emulates_for_a_guest_hypervisor_is_known),
	  CSG_TEST(other_events_are_not_them));

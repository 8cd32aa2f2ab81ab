/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/xen_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "guest/attribution.h"
#include "suite.h"

#define BEGIN "(XEN) 'q' pressed -> dumping domain info (now = 1)\n"
#define DOMAIN(d, v)                                                                               \
	"(XEN) General information for domain " d ":\n"                                            \
	"(XEN) p2m mappings for domain " d " (vmid " v "):\n"
#define END "(XEN) Notifying guest 0:0 (virq 1, port 0)\n"

static struct csg_xen_domains list;
static struct csg_attribution *a;
static char heard[1024];

static void hear(void *arg, const struct csg_diag *diag)
{
	(void)arg;
	CU_ASSERT_PTR_NOT_NULL(diag->remedy);
	snprintf(heard + strlen(heard), sizeof(heard) - strlen(heard), "%s\n", diag->text);
}

static int load_under(enum csg_hypervisor kind, const char *text)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = kind};
	const struct csg_diag_sink sink = {.report = hear};
	char path[] = "/tmp/csguest-xen-XXXXXX";
	int fd = mkstemp(path), err;
	FILE *f = fdopen(fd, "w");

	fputs(text, f);
	fclose(f);
	heard[0] = 0;
	memset(&list, 0, sizeof(list));
	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	err = csg_xen_list_load(&list, a, path, &sink);
	unlink(path);
	return err;
}

static void end(void)
{
	csg_attribution_destroy(a);
	csg_xen_domains_fini(&list);
}

/* The owner of EL1 with this VMID. */
static struct csg_owner owner_of(uint32_t vmid)
{
	const struct csg_trace_unit unit = {
		.size = sizeof(unit), .protocol = CSG_PROTOCOL_ETMV4, .trcconfigr = 1u << 7};
	const struct csg_track_event event = {
		.kind = CSG_TRACK_CONTEXT,
		.context = {.el = CSG_EL1, .aarch64 = true, .has_vctx = true, .vctx = vmid}};
	struct csg_segment segment = {.owner = CSG_OWNER_UNKNOWN};
	struct csg_attribution_stream *s;

	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&s, a, &unit), 0);
	csg_attribution_event(s, &event);
	csg_attribution_settle(s);
	while (csg_attribution_next(s, &segment) > 0)
		;
	csg_attribution_stream_destroy(s);
	return segment.owner;
}

static void a_list_is_stated_as_a_whole(void)
{
	CU_ASSERT_EQUAL(load_under(CSG_HV_XEN, BEGIN DOMAIN("0", "1") DOMAIN("4", "2") END), 0);
	CU_ASSERT_STRING_EQUAL(heard, "");
	CU_ASSERT_EQUAL(owner_of(1).vm, 1);
	CU_ASSERT_EQUAL(owner_of(2).vm, 2);
	CU_ASSERT_EQUAL(owner_of(9).vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner_of(9).reason, CSG_REASON_NO_DOMAIN);
	CU_ASSERT_EQUAL(csg_attribution_domain_said(a, 9), 0);
	CU_ASSERT_EQUAL(owner_of(9).vm, 9);
	end();
}

static void what_it_lacks_or_disputes_is_reported(void)
{
	CU_ASSERT_EQUAL(load_under(CSG_HV_XEN, DOMAIN("0", "1") END), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(heard, "the list of domains is cut"));
	end();
	CU_ASSERT_EQUAL(
		load_under(CSG_HV_XEN, BEGIN DOMAIN("3", "2") END BEGIN DOMAIN("5", "2") END), 0);
	CU_ASSERT_STRING_EQUAL(heard,
			       "VMID 2 was of domain 3 and of domain 5: it identifies no domain\n");
	CU_ASSERT_EQUAL(owner_of(2).vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner_of(2).reason, CSG_REASON_CONFLICT);
	end();
	CU_ASSERT_EQUAL(load_under(CSG_HV_XEN, BEGIN DOMAIN("0", "1") END BEGIN DOMAIN("0", "1")
						       DOMAIN("5", "2") END),
			0);
	CU_ASSERT_STRING_EQUAL(heard,
			       "VMID 2 was not domain 5's all the time: it identifies no domain\n");
	end();
}

static void what_is_no_list_is_refused(void)
{
	CU_ASSERT_EQUAL(load_under(CSG_HV_XEN, "nothing of this kind\n"), -CSG_E_CORRUPT);
	end();
	CU_ASSERT_EQUAL(load_under(CSG_HV_KVM_VHE, BEGIN DOMAIN("0", "1") END), -CSG_E_USAGE);
	CU_ASSERT_STRING_EQUAL(heard, "lists Xen's domains, but Xen does not run here\n");
	CU_ASSERT_EQUAL(csg_xen_list_load(&list, a, "/nowhere", NULL), -CSG_E_USAGE);
	end();
	CU_ASSERT_EQUAL(load_under(CSG_HV_XEN, ""), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_xen_list_load(&list, a, "/nowhere/list", NULL), -CSG_E_NOT_FOUND);
	end();
}

CSG_SUITE(session_open, xen_list, CSG_TEST(a_list_is_stated_as_a_whole),
	  CSG_TEST(what_it_lacks_or_disputes_is_reported), CSG_TEST(what_is_no_list_is_refused));

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xen's own list of its domains and their VMIDs: what
 *
 *	xl list; xl debug-keys q; xl dmesg
 *
 * print in its control domain.  The key makes Xen dump its domains to its console ring, which xl
 * dmesg shows (xen/common/keyhandler.c, dump_domains(); xen/arch/arm/p2m.c, p2m_dump_info()):
 *
 *	(XEN) 'q' pressed -> dumping domain info (now = 67291170080)
 *	(XEN) General information for domain 0:
 *	(XEN) p2m mappings for domain 0 (vmid 1):
 *	(XEN) Notifying guest 0:0 (virq 1, port 0)
 *
 * and xl list tells their names.  Other lines do not count; what a domain writes to its console has
 * more in front (DOM1: ...).
 *
 * A domain keeps its VMID for life; then Xen gives it to another.  So a VMID is a domain's only
 * where nothing in the text says otherwise: neither that it is another's, nor that the domain has
 * another one, nor a whole dump that lacks it.
 */
#ifndef DECODER_FILES_XEN_DOMAINS_H
#define DECODER_FILES_XEN_DOMAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CSG_XEN_NAME 64 /* of a domain, with its end; a longer one counts as none */

/* A domain that had a VMID. */
struct csg_xen_domain {
	uint32_t domain, vmid;	 /* vmid is never 0, which is nobody's */
	bool disputed;		 /* something in the text says otherwise */
	char name[CSG_XEN_NAME]; /* as xl list has it; "domain N" where that has none, or several */
};

/* What one dump says. */
struct csg_xen_claim {
	uint32_t domain, vmid;
	uint32_t dump; /* its number, from 0 */
};

struct csg_xen_name {
	uint32_t domain;
	char name[CSG_XEN_NAME];
};

/* All zero is an empty list. */
struct csg_xen_domains {
	/* What it comes to, once csg_xen_domains_end() was called; by VMID. */
	struct csg_xen_domain *entries;
	size_t count;
	uint32_t whole; /* dumps that are there from their first line to their last part */
	uint32_t cut;	/* others: VMIDs may be missing */

	struct csg_xen_claim *claims;
	size_t claim_count, claim_capacity;
	struct csg_xen_name *names;
	size_t name_count, name_capacity;
	bool *is_whole; /* of each dump that has ended */
	size_t dump_count, dump_capacity;

	bool in_table; /* lines are rows of xl list */
	struct {
		bool here, from_start, at_end, gap;
		bool has_domain; /* whose VMID has not come yet */
		uint32_t domain;
	} dump; /* the current one */
};

void csg_xen_domains_fini(struct csg_xen_domains *list);

/* Takes a line, without its end.  0 or -CSG_E_NO_MEMORY. */
int csg_xen_domains_line(struct csg_xen_domains *list, const char *line);

/* No line comes any more.  0 or -CSG_E_NO_MEMORY. */
int csg_xen_domains_end(struct csg_xen_domains *list);

/* Both, for all lines of a file.  0 or an error of files/text_lines.h. */
int csg_xen_domains_read(struct csg_xen_domains *list, const char *path);

/*
 * Who had a VMID: its entry; the first of several, all of which are disputed; NULL: nobody that the
 * list knows.
 */
const struct csg_xen_domain *csg_xen_domains_of_vmid(const struct csg_xen_domains *list,
						     uint32_t vmid);

/* The only domain of this number, or of this name; NULL: there is none, or several. */
const struct csg_xen_domain *csg_xen_domains_of_number(const struct csg_xen_domains *list,
						       uint32_t domain);
const struct csg_xen_domain *csg_xen_domains_of_name(const struct csg_xen_domains *list,
						     const char *name);

/* Whether a dump begins with this line. */
bool csg_xen_domains_begins(const char *line);

#endif

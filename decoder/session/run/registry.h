/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What owner numbers stand for: owners, which the attribution (csguest/attribution.h) has found,
 * get small numbers, and each its address space, the machine's kernel or a process.  Numbers are
 * given by one thread; spaces may be asked for by all.
 */
#ifndef DECODER_SESSION_RUN_REGISTRY_H
#define DECODER_SESSION_RUN_REGISTRY_H

#include <pthread.h>

#include "base/owner_table.h"
#include "csguest/attribution.h"
#include "image/image.h"

/* machine_pid under which the images of an only guest, given by the user, are kept. */
#define CSG_ONLY_GUEST (-2)

/* Machines of guests of guests have the numbers from here on downwards. */
#define CSG_NESTED_MACHINE (-16)

/* A guest of vm, whose code is known. */
struct csg_nested_machine {
	int32_t vm, nested; /* as in struct csg_owner */
	int32_t machine;
};

struct csg_registry {
	pthread_mutex_t lock; /* of owners and spaces, which one thread writes and all read */
	struct csg_owner_table owners;
	struct csg_space **spaces; /* by owner number; valid below space_count */
	size_t space_count, space_capacity;
	struct csg_image *image;
	struct csg_attribution *attribution;
	struct csg_machine *host;
	struct csg_machine *guest; /* the only guest, or NULL */
	bool nested_ran;	   /* a guest of a guest, in trace that was surveyed */
	bool one_space;		   /* a snapshot: its memory is everybody's, but for domains */
	int32_t *domains;	   /* of Xen (VMIDs), whose code comes from files of their own */
	size_t domain_count, domain_capacity;
	struct csg_nested_machine *nested;
	size_t nested_count, nested_capacity;
	bool no_symbols; /* find owners without the symbols of the host's kernel */
	bool guests;	 /* guests show in the recording, or in the trace so far */
};

int csg_registry_init(struct csg_registry *registry, struct csg_image *image, bool one_space,
		      bool has_guest);
void csg_registry_fini(struct csg_registry *registry);

/* Files of this domain of Xen are known.  Before its owners get numbers.  0 or -CSG_E_NO_MEMORY. */
int csg_registry_add_domain(struct csg_registry *registry, int32_t vmid);

/* Files of a guest of a guest are known.  0 or -CSG_E_NO_MEMORY. */
int csg_registry_add_nested(struct csg_registry *registry, const struct csg_nested_machine *nested);

/* The number of owner.  Negative: an error. */
int64_t csg_registry_number(struct csg_registry *registry, const struct csg_owner *owner);

/* Whether it is settled whose code the owner runs, be it there or not. */
bool csg_registry_knows(struct csg_registry *registry, uint32_t owner);

/* Whether the owner is the host's kernel. */
bool csg_registry_is_host_kernel(struct csg_registry *registry, uint32_t owner);

/*
 * What is known of machines has changed since owners got numbers.  Before any stream that is
 * decoded for the user.
 */
void csg_registry_renew(struct csg_registry *registry);

/* The space with the owner's code; NULL: nobody's. */
struct csg_space *csg_registry_space(struct csg_registry *registry, uint32_t owner);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The colours of all pictures: one for each world, and in guests for each VM; kernels are dark with
 * light text, user code is light with dark text.  On a dark page the darkest are lighter, so that
 * they are seen on it.
 *
 * They are told apart with normal sight, protanopia, deuteranopia and tritanopia: the unit test
 * simulates these and measures the differences.  More VMs than CSG_PALETTE_VMS share colours.
 */
#ifndef COMMAND_TEXT_PALETTE_H
#define COMMAND_TEXT_PALETTE_H

#include "csguest/owner.h"
#include "text/out.h"

#define CSG_PALETTE_VMS 5

/* A colour.  X(key, red-green-blue, text on it is light, the same on a dark page) */
#define CSG_PALETTE(X)                                                                             \
	X(hk, 0x0078c8, 1, 0x0078c8, 1)	 /* host kernel */                                         \
	X(hu, 0xa2bbff, 0, 0xa2bbff, 0)	 /* host user */                                           \
	X(hy, 0x0048b8, 1, 0x4858d0, 1)	 /* hypervisor */                                          \
	X(fw, 0x2d2620, 1, 0x809078, 0)	 /* firmware */                                            \
	X(gk0, 0x7d440b, 1, 0x806020, 1) /* kernel of the first VM, by their numbers */            \
	X(gu0, 0xfdcbad, 0, 0xfdcbad, 0) /* its user code */                                       \
	X(gk1, 0x007f48, 1, 0x007f48, 1)                                                           \
	X(gu1, 0x76b47a, 0, 0x76b47a, 0)                                                           \
	X(gk2, 0xb12292, 1, 0xb030a0, 1)                                                           \
	X(gu2, 0xe887b9, 0, 0xe887b9, 0)                                                           \
	X(gk3, 0x717b00, 1, 0x717b00, 1)                                                           \
	X(gu3, 0xb6a749, 0, 0xb6a749, 0)                                                           \
	X(gk4, 0x05585b, 1, 0x686080, 1)                                                           \
	X(gu4, 0x05d2dd, 0, 0x05d2dd, 0)                                                           \
	X(gkx, 0x5a7872, 1, 0x5a7872, 1) /* of a VM that is not known */                           \
	X(gux, 0xdfece6, 0, 0xdfece6, 0)

struct csg_palette_shade {
	uint32_t rgb;
	bool light_text;
};

struct csg_palette_colour {
	const char *key;
	struct csg_palette_shade shade[2]; /* on a light page, on a dark one */
};

/* All of them; *n is set. */
const struct csg_palette_colour *csg_palette(size_t *n);

/* The key of who ran, or NULL for who is unknown.  vm: how many VMs have lower numbers. */
const char *csg_palette_key(const struct csg_owner *owner, size_t vm);

/* As style sheet rules for rectangles and texts of SVG: ".hk rect{fill:#...}", and for dark pages those
 * that differ. */
void csg_palette_css(struct csg_out *out);

/* As a JSON object: {"hk":"#...",...}, for a light or a dark page. */
void csg_palette_json(struct csg_out *out, bool dark);

#endif

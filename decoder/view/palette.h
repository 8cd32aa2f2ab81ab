/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The colours of all pictures: one for each world, and in guests for each VM; kernels are dark with
 * light text, user code is light with dark text.  The same on a light and on a dark page.
 *
 * They are told apart with normal sight, protanopia, deuteranopia and tritanopia: the unit test
 * simulates these and measures the differences.  More VMs than CSG_PALETTE_VMS share colours.
 */
#ifndef DECODER_VIEW_PALETTE_H
#define DECODER_VIEW_PALETTE_H

#include "csguest/owner.h"
#include "view/out.h"

#define CSG_PALETTE_VMS 5

/* A colour.  X(key, red-green-blue, text on it is light) */
#define CSG_PALETTE(X)                                                                             \
	X(hk, 0x0078c8, 1)  /* host kernel */                                                      \
	X(hu, 0xa2bbff, 0)  /* host user */                                                        \
	X(hy, 0x0048b8, 1)  /* hypervisor */                                                       \
	X(fw, 0x2d2620, 1)  /* firmware */                                                         \
	X(gk0, 0x7d440b, 1) /* kernel of the first VM, by their numbers */                         \
	X(gu0, 0xfdcbad, 0) /* its user code */                                                    \
	X(gk1, 0x007f48, 1)                                                                        \
	X(gu1, 0x76b47a, 0)                                                                        \
	X(gk2, 0xb12292, 1)                                                                        \
	X(gu2, 0xe887b9, 0)                                                                        \
	X(gk3, 0x717b00, 1)                                                                        \
	X(gu3, 0xb6a749, 0)                                                                        \
	X(gk4, 0x05585b, 1)                                                                        \
	X(gu4, 0x05d2dd, 0)                                                                        \
	X(gkx, 0x5a7872, 1) /* of a VM that is not known */                                        \
	X(gux, 0xdfece6, 0)

struct csg_palette_colour {
	const char *key;
	uint32_t rgb;
	bool light_text;
};

/* All of them; *n is set. */
const struct csg_palette_colour *csg_palette(size_t *n);

/* The key of who ran, or NULL for who is unknown.  vm: how many VMs have lower numbers. */
const char *csg_palette_key(const struct csg_owner *owner, size_t vm);

/* As style sheet rules for rectangles and texts of SVG: ".hk rect{fill:#...}". */
void csg_palette_css(struct csg_out *out);

/* As a JSON object: {"hk":"#...",...}. */
void csg_palette_json(struct csg_out *out);

#endif

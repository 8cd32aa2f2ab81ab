/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The colours of all pictures: one for each world, and in guests for each VM; kernels are dark with
 * light text, user code is light with dark text.  On a dark page the darkest are lighter, so that
 * they are seen on it.
 *
 * Those of worlds and of the first CSG_PALETTE_ALL_EYES VMs differ for normal sight, protanopia,
 * deuteranopia and tritanopia, those of all CSG_PALETTE_VMS VMs for normal sight: the unit test
 * simulates these and measures the differences.  More VMs than that share colours.
 */
#ifndef COMMAND_TEXT_PALETTE_H
#define COMMAND_TEXT_PALETTE_H

#include "csguest/owner.h"
#include "text/out.h"

#define CSG_PALETTE_VMS 60
#define CSG_PALETTE_ALL_EYES 5 /* the first VMs' colours differ for everybody */

/* A colour.  X(key, red-green-blue, text on it is light, the same on a dark page) */
#define CSG_PALETTE(X)                                                                             \
	X(hk, 0x0078c8, 1, 0x0078c8, 1)	 /* host kernel */                                         \
	X(hu, 0xa2bbff, 0, 0xa2bbff, 0)	 /* host user */                                           \
	X(hy, 0x0048b8, 1, 0x4858d0, 1)	 /* hypervisor */                                          \
	X(fw, 0x2d2620, 1, 0x809078, 0)	 /* firmware */                                            \
	X(gkx, 0x5a7872, 1, 0x5a7872, 1) /* kernel of a VM that is not known */                    \
	X(gux, 0xdfece6, 0, 0xdfece6, 0) /* its user code */

/*
 * Those of VMs by their numbers, each as far from those before it as its hue allows.  X(VM, kernel,
 * kernel on a dark page, user code)
 */
#define CSG_PALETTE_GUESTS(X)                                                                      \
	X(0, 0x7d440b, 0x806020, 0xfdcbad)                                                         \
	X(1, 0x007f48, 0x007f48, 0x76b47a)                                                         \
	X(2, 0xb12292, 0xb030a0, 0xe887b9)                                                         \
	X(3, 0x717b00, 0x717b00, 0xb6a749)                                                         \
	X(4, 0x05585b, 0x686080, 0x05d2dd)                                                         \
	X(5, 0x008200, 0x008200, 0xb4ff69)                                                         \
	X(6, 0xa046dc, 0xa046dc, 0xd296ff)                                                         \
	X(7, 0x8c5a50, 0x8c5a50, 0xc38787)                                                         \
	X(8, 0xb4325a, 0xb4325a, 0xff5a96)                                                         \
	X(9, 0x825aaa, 0x825aaa, 0xffd2ff)                                                         \
	X(10, 0x0078a0, 0x0078a0, 0x1ea5d2)                                                        \
	X(11, 0x965078, 0x965078, 0xff78e1)                                                        \
	X(12, 0xb4503c, 0xb4503c, 0xe1875a)                                                        \
	X(13, 0x5a6e32, 0x5a6e32, 0xfff04b)                                                        \
	X(14, 0xb45a00, 0xb45a00, 0xffc34b)                                                        \
	X(15, 0x14826e, 0x14826e, 0x00ffa5)                                                        \
	X(16, 0xdc005a, 0xdc005a, 0xff9696)                                                        \
	X(17, 0xc828c8, 0xc828c8, 0xb496c3)                                                        \
	X(18, 0x6e6446, 0x6e6446, 0xf0ffa5)                                                        \
	X(19, 0x508228, 0x508228, 0x96b400)                                                        \
	X(20, 0xc80078, 0xc80078, 0xff4bb4)                                                        \
	X(21, 0xb45a64, 0xb45a64, 0xe1b4c3)                                                        \
	X(22, 0x8c46b4, 0x8c46b4, 0xe178ff)                                                        \
	X(23, 0x6450e6, 0x6450e6, 0x7896ff)                                                        \
	X(24, 0xd20a00, 0xd20a00, 0xff784b)                                                        \
	X(25, 0xb45096, 0xb45096, 0xffb4ff)                                                        \
	X(26, 0x5064be, 0x5064be, 0x7896c3)                                                        \
	X(27, 0x00828c, 0x00828c, 0xa5ffff)                                                        \
	X(28, 0x646eaa, 0x646eaa, 0x2da5ff)                                                        \
	X(29, 0xb43c14, 0xb43c14, 0xffb478)                                                        \
	X(30, 0x966e00, 0x966e00, 0xb49669)                                                        \
	X(31, 0xd23c50, 0xd23c50, 0xf07896)                                                        \
	X(32, 0xdc00aa, 0xdc00aa, 0xc387d2)                                                        \
	X(33, 0x467850, 0x467850, 0x78ffd2)                                                        \
	X(34, 0x82646e, 0x82646e, 0xf069b4)                                                        \
	X(35, 0xa0643c, 0xa0643c, 0xd2963c)                                                        \
	X(36, 0x0064fa, 0x0064fa, 0xb4a5ff)                                                        \
	X(37, 0x8c6496, 0x8c6496, 0x9687ff)                                                        \
	X(38, 0xc84682, 0xc84682, 0xc387a5)                                                        \
	X(39, 0x827828, 0x827828, 0xffffd2)                                                        \
	X(40, 0xe60046, 0xe60046, 0xffb4b4)                                                        \
	X(41, 0x8c5adc, 0x8c5adc, 0xd2d2ff)                                                        \
	X(42, 0xa0641e, 0xa0641e, 0xf0d287)                                                        \
	X(43, 0xb446c8, 0xb446c8, 0xffe1f0)                                                        \
	X(44, 0x006edc, 0x006edc, 0x7896e1)                                                        \
	X(45, 0x007828, 0x007828, 0x69d269)                                                        \
	X(46, 0x3c6e82, 0x3c6e82, 0xa5e1ff)                                                        \
	X(47, 0x506e96, 0x506e96, 0x69c3ff)                                                        \
	X(48, 0xd2286e, 0xd2286e, 0xff5a78)                                                        \
	X(49, 0xb45a28, 0xb45a28, 0xc3a596)                                                        \
	X(50, 0xa050aa, 0xa050aa, 0xffb4e1)                                                        \
	X(51, 0xaa466e, 0xaa466e, 0xff96e1)                                                        \
	X(52, 0x5a6e50, 0x5a6e50, 0xb4ffa5)                                                        \
	X(53, 0xe60028, 0xe60028, 0xf0a587)                                                        \
	X(54, 0xbe3c32, 0xbe3c32, 0xe17869)                                                        \
	X(55, 0xa06478, 0xa06478, 0xb496a5)                                                        \
	X(56, 0x6e5abe, 0x6e5abe, 0xb478f0)                                                        \
	X(57, 0x966e50, 0x966e50, 0xe19600)                                                        \
	X(58, 0x0078b4, 0x0078b4, 0x78b4d2)                                                        \
	X(59, 0xd23c14, 0xd23c14, 0xe1873c)

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

/* As style sheet rules for rectangles and texts of SVG: ".hk rect{fill:#...}", and for dark pages
 * those that differ; with colours for this many VMs. */
void csg_palette_css(struct csg_out *out, size_t vms);

/* As a JSON object: {"hk":"#...",...}, for a light or a dark page. */
void csg_palette_json(struct csg_out *out, bool dark);

#endif

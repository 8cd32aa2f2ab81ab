/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <math.h>

#include "capture.h"
#include "text/palette.h"

/* The least difference of two colours (CIE 1976), and the least contrast of text and of what is
 * drawn (WCAG 2, AA). */
#define DIFFERENCE 12
#define CONTRAST 4.5
#define CONTRAST_DRAWN 3
#define DARK_PAGE 0x15181d
#define WORLDS 6 /* colours before those of VMs */

/* Machado, Oliveira and Fernandes 2009, severity 1: what is left of linear red, green and blue. */
static const double sights[][3][3] = {
	{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0.152286, 1.052583, -0.204868},
	 {0.114503, 0.786281, 0.099216},
	 {-0.003882, -0.048116, 1.051998}},
	{{0.367322, 0.860646, -0.227968},
	 {0.280085, 0.672501, 0.047413},
	 {-0.011820, 0.042940, 0.968881}},
	{{1.255528, -0.076749, -0.178779},
	 {-0.078411, 0.930809, 0.147602},
	 {0.004733, 0.691367, 0.303900}},
};

static void linear(uint32_t rgb, double to[3])
{
	for (int i = 0; i < 3; i++) {
		double c = (rgb >> (16 - 8 * i) & 0xff) / 255.0;

		to[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
}

static double luminance(const double c[3])
{
	return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

static double root(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE L*a*b* of a colour as one of the sights has it. */
static void lab(uint32_t rgb, const double sight[3][3], double to[3])
{
	double c[3], s[3], x, y, z;

	linear(rgb, c);
	for (int i = 0; i < 3; i++) {
		s[i] = sight[i][0] * c[0] + sight[i][1] * c[1] + sight[i][2] * c[2];
		s[i] = s[i] < 0 ? 0 : s[i] > 1 ? 1 : s[i];
	}
	x = root((0.4124 * s[0] + 0.3576 * s[1] + 0.1805 * s[2]) / 0.95047);
	y = root(luminance(s));
	z = root((0.0193 * s[0] + 0.1192 * s[1] + 0.9505 * s[2]) / 1.08883);
	to[0] = 116 * y - 16;
	to[1] = 500 * (x - y);
	to[2] = 200 * (y - z);
}

static void differ(bool dark)
{
	size_t n;
	const struct csg_palette_colour *c = csg_palette(&n);

	CU_ASSERT_EQUAL(n, WORLDS + 2 * CSG_PALETTE_VMS);
	for (size_t eye = 0; eye < sizeof(sights) / sizeof(*sights); eye++) {
		for (size_t i = 0; i < (eye ? WORLDS + 2 * CSG_PALETTE_ALL_EYES : n); i++) {
			for (size_t k = 0; k < i; k++) {
				double a[3], b[3], d;

				lab(c[i].shade[dark].rgb, sights[eye], a);
				lab(c[k].shade[dark].rgb, sights[eye], b);
				d = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) +
					 pow(a[2] - b[2], 2));
				if (d < DIFFERENCE)
					printf("eye %zu: %s and %s differ by %.1f\n", eye, c[i].key,
					       c[k].key, d);
				CU_ASSERT(d >= DIFFERENCE);
			}
		}
	}
}

static void every_two_colours_differ_in_every_eye(void)
{
	differ(false);
	differ(true);
}

static double contrast(uint32_t one, uint32_t other)
{
	double a[3], b[3], x, y;

	linear(one, a);
	linear(other, b);
	x = luminance(a) + 0.05;
	y = luminance(b) + 0.05;
	return x > y ? x / y : y / x;
}

static void text_can_be_read_on_every_colour(void)
{
	size_t n;
	const struct csg_palette_colour *c = csg_palette(&n);

	for (size_t i = 0; i < 2 * n; i++) {
		const struct csg_palette_shade *shade = &c[i / 2].shade[i % 2];

		if (contrast(shade->rgb, shade->light_text ? 0xffffff : 0x101418) < CONTRAST)
			printf("%s\n", c[i / 2].key);
		CU_ASSERT(contrast(shade->rgb, shade->light_text ? 0xffffff : 0x101418) >=
			  CONTRAST);
	}
}

static void every_colour_is_seen_on_a_dark_page(void)
{
	size_t n;
	const struct csg_palette_colour *c = csg_palette(&n);

	for (size_t i = 0; i < n; i++) {
		if (contrast(c[i].shade[1].rgb, DARK_PAGE) < CONTRAST_DRAWN)
			printf("%s\n", c[i].key);
		CU_ASSERT(contrast(c[i].shade[1].rgb, DARK_PAGE) >= CONTRAST_DRAWN);
	}
}

static void keys_are_of_worlds_and_vms(void)
{
	struct csg_owner owner = {.world = CSG_WORLD_HOST, .privilege = CSG_USER, .vm = 0};

	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, 0), "hu");
	owner = (struct csg_owner){.world = CSG_WORLD_GUEST, .privilege = CSG_KERNEL, .vm = 9};
	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, 1), "gk1");
	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, CSG_PALETTE_VMS - 1), "gk59");
	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, CSG_PALETTE_VMS + 2), "gk2");
	owner.vm = -1;
	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, 0), "gkx");
	owner.world = CSG_WORLD_UNKNOWN;
	CU_ASSERT_PTR_NULL(csg_palette_key(&owner, 0));
}

static void pages_get_them_as_rules_or_as_json(void)
{
	struct csg_out *out = capture_begin();

	csg_palette_css(out, 2);
	csg_palette_json(out, false);
	csg_palette_json(out, true);
	capture_end(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, ".hk rect{fill:#0078c8}.hk text{fill:#fff}\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, ".gu1 rect{"));
	CU_ASSERT_PTR_NULL(strstr(captured, ".gk2 rect{"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "{\"hk\":\"#0078c8\",\"hu\":"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "dark){.hy rect{fill:#4858d0}.hy text{fill:#fff}"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"hy\":\"#0048b8\""));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"hy\":\"#4858d0\""));
}

CSG_SUITE(text, palette, CSG_TEST(every_two_colours_differ_in_every_eye),
	  CSG_TEST(text_can_be_read_on_every_colour), CSG_TEST(every_colour_is_seen_on_a_dark_page),
	  CSG_TEST(keys_are_of_worlds_and_vms), CSG_TEST(pages_get_them_as_rules_or_as_json));

/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <math.h>

#include "capture.h"
#include "view/palette.h"

/* The least difference of two colours (CIE 1976), and the least contrast of text (WCAG 2, AA). */
#define DIFFERENCE 12
#define CONTRAST 4.5

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

static void every_two_colours_differ_in_every_eye(void)
{
	size_t n;
	const struct csg_palette_colour *c = csg_palette(&n);

	CU_ASSERT(n >= 14);
	for (size_t eye = 0; eye < sizeof(sights) / sizeof(*sights); eye++) {
		for (size_t i = 0; i < n; i++) {
			for (size_t k = 0; k < i; k++) {
				double a[3], b[3], d;

				lab(c[i].rgb, sights[eye], a);
				lab(c[k].rgb, sights[eye], b);
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

static void text_can_be_read_on_every_colour(void)
{
	size_t n;
	const struct csg_palette_colour *c = csg_palette(&n);

	for (size_t i = 0; i < n; i++) {
		double fill[3], text[3], a, b;

		linear(c[i].rgb, fill);
		linear(c[i].light_text ? 0xffffff : 0x101418, text);
		a = luminance(fill) + 0.05;
		b = luminance(text) + 0.05;
		if ((a > b ? a / b : b / a) < CONTRAST)
			printf("%s: %.2f\n", c[i].key, a > b ? a / b : b / a);
		CU_ASSERT((a > b ? a / b : b / a) >= CONTRAST);
	}
}

static void keys_are_of_worlds_and_vms(void)
{
	struct csg_owner owner = {.world = CSG_WORLD_HOST, .privilege = CSG_USER, .vm = 0};

	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, 0), "hu");
	owner = (struct csg_owner){.world = CSG_WORLD_GUEST, .privilege = CSG_KERNEL, .vm = 9};
	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, 1), "gk1");
	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, CSG_PALETTE_VMS + 2), "gk2");
	owner.vm = -1;
	CU_ASSERT_STRING_EQUAL(csg_palette_key(&owner, 0), "gkx");
	owner.world = CSG_WORLD_UNKNOWN;
	CU_ASSERT_PTR_NULL(csg_palette_key(&owner, 0));
}

static void pages_get_them_as_rules_or_as_json(void)
{
	struct csg_out *out = capture_begin();

	csg_palette_css(out);
	csg_palette_json(out);
	capture_end(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, ".hk rect{fill:#0078c8}.hk text{fill:#fff}\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "{\"hk\":\"#0078c8\",\"hu\":"));
}

CSG_SUITE(view, palette, CSG_TEST(every_two_colours_differ_in_every_eye),
	  CSG_TEST(text_can_be_read_on_every_colour), CSG_TEST(keys_are_of_worlds_and_vms),
	  CSG_TEST(pages_get_them_as_rules_or_as_json));

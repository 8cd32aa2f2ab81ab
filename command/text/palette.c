/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/palette.h"

#define LIGHT_TEXT "#fff"
#define DARK_TEXT "#101418"

static const struct csg_palette_colour colours[] = {
#define COLOUR(key, rgb, light, dark_rgb, dark_light)                                              \
	{#key, {{rgb, light}, {dark_rgb, dark_light}}},
	CSG_PALETTE(COLOUR)
#undef COLOUR
};

#define COUNT (sizeof(colours) / sizeof(*colours))

const struct csg_palette_colour *csg_palette(size_t *n)
{
	*n = COUNT;
	return colours;
}

const char *csg_palette_key(const struct csg_owner *owner, size_t vm)
{
	static const char *const guests[][2] = {
		{"gk0", "gu0"}, {"gk1", "gu1"}, {"gk2", "gu2"},
		{"gk3", "gu3"}, {"gk4", "gu4"}, {"gkx", "gux"},
	};
	bool user = owner->privilege == CSG_USER;

	switch ((enum csg_world)owner->world) {
	case CSG_WORLD_HOST:
		return user ? "hu" : "hk";
	case CSG_WORLD_HYPERVISOR:
		return "hy";
	case CSG_WORLD_FIRMWARE:
		return "fw";
	case CSG_WORLD_GUEST:
		return guests[owner->vm < 0 ? CSG_PALETTE_VMS : vm % CSG_PALETTE_VMS][user];
	default:
		return NULL;
	}
}

static void put_rules(struct csg_out *out, const struct csg_palette_colour *colour, bool dark)
{
	const struct csg_palette_shade *shade = &colour->shade[dark];

	csg_out_printf(out, ".%s rect{fill:#%06x}.%s text{fill:%s}", colour->key, shade->rgb,
		       colour->key, shade->light_text ? LIGHT_TEXT : DARK_TEXT);
}

void csg_palette_css(struct csg_out *out)
{
	for (size_t i = 0; i < COUNT; i++) {
		put_rules(out, &colours[i], false);
		csg_out_char(out, '\n');
	}
	csg_out_str(out, "@media (prefers-color-scheme:dark){");
	for (size_t i = 0; i < COUNT; i++)
		if (colours[i].shade[0].rgb != colours[i].shade[1].rgb)
			put_rules(out, &colours[i], true);
	csg_out_str(out, "}\n");
}

void csg_palette_json(struct csg_out *out, bool dark)
{
	for (size_t i = 0; i < COUNT; i++)
		csg_out_printf(out, "%s\"%s\":\"#%06x\"", i ? "," : "{", colours[i].key,
			       colours[i].shade[dark].rgb);
	csg_out_char(out, '}');
}

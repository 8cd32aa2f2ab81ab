/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/palette.h"

#define LIGHT_TEXT "#fff"
#define DARK_TEXT "#101418"

static const struct csg_palette_colour colours[] = {
#define COLOUR(key, rgb, light, dark_rgb, dark_light)                                              \
	{#key, {{rgb, light}, {dark_rgb, dark_light}}},
	CSG_PALETTE(COLOUR)
#undef COLOUR
#define COLOURS(vm, kernel, dark_kernel, user)                                                     \
	{"gk" #vm, {{kernel, true}, {dark_kernel, true}}},                                         \
		{"gu" #vm, {{user, false}, {user, false}}},
		CSG_PALETTE_GUESTS(COLOURS)
#undef COLOURS
};

#define COUNT (sizeof(colours) / sizeof(*colours))
#define FIRST_VM (COUNT - 2 * CSG_PALETTE_VMS) /* its two, after which those of the others follow */

const struct csg_palette_colour *csg_palette(size_t *n)
{
	*n = COUNT;
	return colours;
}

const char *csg_palette_key(const struct csg_owner *owner, size_t vm)
{
	bool user = owner->privilege == CSG_USER;

	switch ((enum csg_world)owner->world) {
	case CSG_WORLD_HOST:
		return user ? "hu" : "hk";
	case CSG_WORLD_HYPERVISOR:
		return "hy";
	case CSG_WORLD_FIRMWARE:
		return "fw";
	case CSG_WORLD_GUEST:
		if (owner->vm < 0)
			return user ? "gux" : "gkx";
		return colours[FIRST_VM + 2 * (vm % CSG_PALETTE_VMS) + user].key;
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

void csg_palette_css(struct csg_out *out, size_t vms)
{
	size_t n = FIRST_VM + 2 * (vms < CSG_PALETTE_VMS ? vms : CSG_PALETTE_VMS);

	for (size_t i = 0; i < n; i++) {
		put_rules(out, &colours[i], false);
		csg_out_char(out, '\n');
	}
	csg_out_str(out, "@media (prefers-color-scheme:dark){");
	for (size_t i = 0; i < n; i++)
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/kallsyms_file.h"

#include "text/escape.h"

struct writing {
	struct csg_out *out;
	int count;
};

/* perf takes functions (t, T) and data alike; all are global here. */
static int write_symbol(void *arg, uint64_t address, const char *name, const char *module)
{
	struct writing *w = arg;

	csg_out_hex(w->out, address, 16);
	csg_out_str(w->out, " T ");
	csg_out_text(w->out, name);
	if (module) {
		csg_out_char(w->out, '\t');
		csg_out_text(w->out, module);
	}
	csg_out_char(w->out, '\n');
	w->count++;
	return 0;
}

int csg_kallsyms_write(struct csg_space *space, struct csg_out *out)
{
	struct writing w = {out, 0};
	int err = csg_symbol_each(space, write_symbol, &w);

	return err ? err : w.count;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/symbol.h"

#include <string.h>

#include "base/abi.h"
#include "csguest/error.h"
#include "image/elf/elf_file.h"
#include "image/elf/file.h"
#include "image/image.h"
#include "image/kernel/kernel_extent.h"
#include "image/space.h"

int csg_symbol_find(struct csg_space *space, uint64_t address, uint64_t time,
		    struct csg_symbol *symbol, size_t size)
{
	struct csg_symbol own;
	int err;

	if (!space || !symbol || size < sizeof(own))
		return -CSG_E_USAGE;
	err = csg_space_symbol(space, address, time, &own);
	if (err)
		own = (struct csg_symbol){0};
	csg_abi_give(symbol, size, sizeof(own), &own, sizeof(own));
	return err == -CSG_E_NO_MEMORY ? err : 0;
}

int csg_symbol_line(struct csg_space *space, uint64_t address, uint64_t time, const char **file,
		    int *line)
{
	int err;

	if (!space || !file || !line)
		return -CSG_E_USAGE;
	err = csg_space_line(space, address, time, file, line);
	if (err) {
		*file = NULL;
		*line = 0;
	}
	return err == -CSG_E_NO_MEMORY ? err : 0;
}

int csg_symbol_kernel(struct csg_space *space, struct csg_kernel_extent *extent, size_t size)
{
	struct csg_kernel_extent own;

	if (!space || !extent || size < sizeof(own))
		return -CSG_E_USAGE;
	if (!csg_space_kernel_extent(space, &own))
		return -CSG_E_NO_IMAGE;
	return csg_abi_give(extent, size, sizeof(own), &own, sizeof(own));
}

int csg_symbol_each(struct csg_space *space, csg_kernel_symbol_fn fn, void *arg)
{
	return space && fn ? csg_space_kernel_symbols(space, fn, arg) : -CSG_E_USAGE;
}

int csg_code_read(struct csg_space *space, uint64_t address, uint64_t time, const uint8_t **bytes,
		  size_t *len, uint64_t *until)
{
	if (!space || !bytes || !len)
		return -CSG_E_USAGE;
	*len = 0;
	*bytes = NULL;
	if (until)
		*until = UINT64_MAX;
	/* What decoding missed is counted; how often a client asks again says nothing. */
	return csg_space_peek(space, address, time, bytes, len, until);
}

int csg_file_build_id(const char *path, uint8_t *build_id, size_t size)
{
	struct csg_build_id id = {0};
	struct csg_file file;
	struct csg_elf elf;
	int err;

	if (!path || (!build_id && size))
		return -CSG_E_USAGE;
	err = csg_file_map(&file, path);
	if (err)
		return err;
	err = csg_elf_open(&elf, file.data, file.size) ? -CSG_E_BAD_MAGIC : 0;
	if (!err) {
		csg_elf_build_id(&elf, &id);
		csg_elf_close(&elf);
	}
	csg_file_unmap(&file);
	if (size)
		memcpy(build_id, id.bytes, size < id.size ? size : id.size);
	return err ? err : id.size;
}

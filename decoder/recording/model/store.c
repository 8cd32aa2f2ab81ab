/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/store.h"

#include <string.h>
#include <unistd.h>

#include "csguest/error.h"

int csg_store_add_file(struct csg_recording *rec, int fd, const char *path, uint64_t size)
{
	const char *name = csg_strings_keep(&rec->strings, path);
	struct csg_store_file *file = name ? CSG_STORE_ADD(rec, files) : NULL;

	if (!file) {
		close(fd);
		return -CSG_E_NO_MEMORY;
	}
	*file = (struct csg_store_file){.fd = fd, .path = name, .size = size};
	return (int)(rec->n_files - 1);
}

int csg_store_add_extent(struct csg_recording *rec, uint32_t file, uint64_t offset, uint32_t *id)
{
	struct csg_extent *extent = CSG_STORE_ADD(rec, extents);

	if (!extent)
		return -CSG_E_NO_MEMORY;
	*extent = (struct csg_extent){.file = file, .offset = offset};
	*id = (uint32_t)(rec->n_extents - 1);
	return 0;
}

void csg_store_damaged(struct csg_recording *rec, int error)
{
	if (!rec->damage)
		rec->damage = error < 0 ? error : -error;
}

void csg_store_formats(struct csg_recording *rec, const uint8_t *bytes, size_t len)
{
	csg_kvm_formats_read(&rec->kvm_formats, bytes, len);
	csg_wake_formats_read(&rec->wake_formats, bytes, len);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/session.h"

#include "base/abi.h"
#include "image/image.h"
#include "util/report.h"
#include "csguest/error.h"
#include "session/session.h"
#include "session/session_pull.h"
#include "session/settings.h"

static int refuse_options(const struct csg_session_options *options, const char *path)
{
	const struct csg_diag_sink *sink = NULL;

	/* A size that holds the sink is trusted with it. */
	if (options && options->size >= offsetof(struct csg_session_options, progress))
		sink = options->sink;
	return csg_report(sink, CSG_ERROR, CSG_E_USAGE, path, CSG_NO_OFFSET,
			  "see csguest/session.h for what each may be",
			  "an option of the session is of no version or no such value");
}

int csg_session_open(struct csg_session **session, const char *path,
		     const struct csg_session_options *options)
{
	struct csg_settings *settings;
	int err;

	if (!session)
		return -CSG_E_USAGE;
	*session = NULL;
	if (!path)
		return -CSG_E_USAGE;
	err = csg_settings_create(&settings, path, options);
	if (err)
		return err == -CSG_E_USAGE ? refuse_options(options, path) : err;
	err = csg_session_begin(session, &settings->setup, &settings->sink);
	if (err)
		csg_settings_destroy(settings);
	else
		csg_session_keep(*session, settings);
	return err;
}

int csg_session_next(struct csg_session *session, enum csg_order order, struct csg_batch *batch,
		     size_t size)
{
	struct csg_batch own;
	int ret, err;

	if (!session || !batch || size < sizeof(own) || (unsigned int)order > CSG_ORDER_TIME)
		return -CSG_E_USAGE;
	if (!csg_session_settle_on(session,
				   order == CSG_ORDER_TIME ? CSG_PULL_TIME : CSG_PULL_STREAMS))
		return -CSG_E_USAGE;
	ret = csg_session_pull(session, order == CSG_ORDER_TIME, &own);
	err = ret > 0 ? csg_abi_give(batch, size, sizeof(own), &own, sizeof(own)) : 0;
	return err ? err : ret;
}

int csg_session_next_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch,
			size_t size)
{
	struct csg_batch own;
	int ret, err;

	if (!session || !batch || size < sizeof(own) || stream >= csg_session_stream_count(session))
		return -CSG_E_USAGE;
	if (!csg_session_settle_on(session, CSG_PULL_STREAM))
		return -CSG_E_USAGE;
	ret = csg_session_pull_of(session, stream, &own);
	err = ret > 0 ? csg_abi_give(batch, size, sizeof(own), &own, sizeof(own)) : 0;
	return err ? err : ret;
}

size_t csg_session_stream_count(const struct csg_session *session)
{
	size_t n = 0;

	if (session)
		csg_session_streams(session, &n);
	return n;
}

const struct csg_stream_info *csg_session_stream(const struct csg_session *session, uint32_t stream)
{
	size_t n;
	const struct csg_stream_info *streams = session ? csg_session_streams(session, &n) : NULL;

	return streams && stream < n ? &streams[stream] : NULL;
}

size_t csg_session_missing_count(struct csg_session *session)
{
	size_t n = 0;

	if (session)
		csg_image_missing(csg_session_image(session), &n);
	return n;
}

int csg_session_each_file(struct csg_session *session, int (*fn)(void *arg, const char *path),
			  void *arg)
{
	return session && fn ? csg_image_files(csg_session_image(session), fn, arg) : -CSG_E_USAGE;
}

const struct csg_missing *csg_session_missing(struct csg_session *session, size_t index)
{
	return session ? csg_image_missing_at(csg_session_image(session), index) : NULL;
}

// A C interface to RE2: compiling, matching and freeing a pattern.
#ifndef CRE2_H
#define CRE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern; matching is thread-safe.
typedef struct cre2_pattern cre2_pattern;

/// Compiles the UTF-8 text of a pattern, in about `max_memory` bytes at most.
///
/// Returns null only if memory is exhausted; `cre2_is_sound` tells if the pattern is valid.
cre2_pattern *_Nullable cre2_compile(const void *_Nullable text, size_t length, int64_t max_memory);

void cre2_free(cre2_pattern *_Nonnull pattern);

bool cre2_is_sound(const cre2_pattern *_Nonnull pattern);

/// True if the pattern is invalid only because it would take too much memory.
bool cre2_is_too_large(const cre2_pattern *_Nonnull pattern);

/// The fault of an invalid pattern; valid as long as the pattern.
const char *_Nonnull cre2_message(const cre2_pattern *_Nonnull pattern, size_t *_Nonnull length);

/// The number of instructions of a valid pattern; matching takes time proportional to it.
int64_t cre2_size(const cre2_pattern *_Nonnull pattern);

/// True if a valid pattern matches a part of the UTF-8 text.
bool cre2_matches(const cre2_pattern *_Nonnull pattern, const void *_Nullable text, size_t length);

#ifdef __cplusplus
}
#endif

#endif

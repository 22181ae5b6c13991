// RE2 as C can call it: a pattern is compiled, asked, and freed.
#ifndef CRE2_H
#define CRE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern, which any number of threads may ask at the same time.
typedef struct cre2_pattern cre2_pattern;

/// Compiles the UTF-8 text of a pattern, which may take no more than about `max_memory` bytes.
///
/// Never null unless memory is exhausted; whether the pattern is sound is asked separately.
cre2_pattern *_Nullable cre2_compile(const void *_Nullable text, size_t length, int64_t max_memory);

void cre2_free(cre2_pattern *_Nonnull pattern);

bool cre2_is_sound(const cre2_pattern *_Nonnull pattern);

/// True if the pattern is unsound only because it would take too much memory.
bool cre2_is_too_large(const cre2_pattern *_Nonnull pattern);

/// The mistake of an unsound pattern; lives as long as the pattern.
const char *_Nonnull cre2_message(const cre2_pattern *_Nonnull pattern, size_t *_Nonnull length);

/// The number of instructions of a sound pattern, to which matching is proportional.
int64_t cre2_size(const cre2_pattern *_Nonnull pattern);

/// True if the sound pattern matches a part of the UTF-8 text.
bool cre2_matches(const cre2_pattern *_Nonnull pattern, const void *_Nullable text, size_t length);

#ifdef __cplusplus
}
#endif

#endif

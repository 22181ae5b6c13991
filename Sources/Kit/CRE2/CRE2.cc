#include "CRE2.h"

#include <new>

#include <re2/re2.h>
#include <re2/stringpiece.h>

struct cre2_pattern {
  re2::RE2 re;
};

static re2::RE2::Options options(int64_t max_memory) {
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_max_mem(max_memory);
  return options;
}

cre2_pattern *cre2_compile(const void *text, size_t length, int64_t max_memory) {
  return new (std::nothrow)
      cre2_pattern{re2::RE2(re2::StringPiece(static_cast<const char *>(text), length), options(max_memory))};
}

void cre2_free(cre2_pattern *pattern) { delete pattern; }

bool cre2_is_sound(const cre2_pattern *pattern) { return pattern->re.ok(); }

bool cre2_is_too_large(const cre2_pattern *pattern) {
  return pattern->re.error_code() == re2::RE2::ErrorPatternTooLarge;
}

const char *cre2_message(const cre2_pattern *pattern, size_t *length) {
  *length = pattern->re.error().size();
  return pattern->re.error().data();
}

int64_t cre2_size(const cre2_pattern *pattern) { return pattern->re.ProgramSize(); }

bool cre2_matches(const cre2_pattern *pattern, const void *text, size_t length) {
  re2::StringPiece piece(static_cast<const char *>(text), length);
  return pattern->re.Match(piece, 0, length, re2::RE2::UNANCHORED, nullptr, 0);
}

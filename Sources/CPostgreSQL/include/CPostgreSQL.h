// The functions of libpq that menud calls. Their definitions, in CPostgreSQL.c, load the library when it is first
// needed: it brings 13 others, and only a journal in PostgreSQL needs them.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

// What libpq's header includes of the system, whose functions are not hidden.
#include <stdio.h>

// Hidden, so that libpq's own calls of these functions do not end here.
#pragma GCC visibility push(hidden)
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// Loads the library, once. NULL, or the reason why it cannot be loaded; then no other function may be called.
const char *_Nullable cpostgresql_load(void);
#pragma GCC visibility pop

// Characters, which Swift does not import.
static const int cpostgresql_sqlstate = PG_DIAG_SQLSTATE;
static const int cpostgresql_message = PG_DIAG_MESSAGE_PRIMARY;

#endif

// What Swift cannot see of libpq, and nothing else: constants that are characters.
#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

static const int cpostgresql_sqlstate = PG_DIAG_SQLSTATE;
static const int cpostgresql_message = PG_DIAG_MESSAGE_PRIMARY;

#endif

#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#ifdef __APPLE__
static const char *const name = "libpq.5.dylib";
#else
static const char *const name = "libpq.so.5";
#endif

// Each function: its result, name, parameters, and the arguments that it hands on.
#define FUNCTIONS(DO)                                                                              \
  DO(int, PQbackendPID, (const PGconn *c), (c))                                                    \
  DO(PGconn *, PQconnectdb, (const char *text), (text))                                            \
  DO(PQconninfoOption *, PQconninfoParse, (const char *text, char **message), (text, message))     \
  DO(int, PQconsumeInput, (PGconn * c), (c))                                                       \
  DO(char *, PQdb, (const PGconn *c), (c))                                                         \
  DO(int, PQenterPipelineMode, (PGconn * c), (c))                                                  \
  DO(char *, PQerrorMessage, (const PGconn *c), (c))                                               \
  DO(int, PQexitPipelineMode, (PGconn * c), (c))                                                   \
  DO(int, PQflush, (PGconn * c), (c))                                                              \
  DO(PGresult *, PQgetResult, (PGconn * c), (c))                                                   \
  DO(int, PQgetisnull, (const PGresult *r, int row, int column), (r, row, column))                 \
  DO(int, PQgetlength, (const PGresult *r, int row, int column), (r, row, column))                 \
  DO(char *, PQgetvalue, (const PGresult *r, int row, int column), (r, row, column))               \
  DO(char *, PQhost, (const PGconn *c), (c))                                                       \
  DO(int, PQisBusy, (PGconn * c), (c))                                                             \
  DO(PGnotify *, PQnotifies, (PGconn * c), (c))                                                    \
  DO(int, PQntuples, (const PGresult *r), (r))                                                     \
  DO(int, PQpipelineSync, (PGconn * c), (c))                                                       \
  DO(char *, PQresultErrorField, (const PGresult *r, int field), (r, field))                       \
  DO(ExecStatusType, PQresultStatus, (const PGresult *r), (r))                                     \
  DO(int, PQsendQuery, (PGconn * c, const char *text), (c, text))                                  \
  DO(int, PQsendQueryParams,                                                                       \
     (PGconn * c, const char *text, int count, const Oid *types, const char *const *values,        \
      const int *lengths, const int *formats, int format),                                         \
     (c, text, count, types, values, lengths, formats, format))                                    \
  DO(int, PQsendQueryPrepared,                                                                     \
     (PGconn * c, const char *statement, int count, const char *const *values, const int *lengths, \
      const int *formats, int format),                                                             \
     (c, statement, count, values, lengths, formats, format))                                      \
  DO(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn * c, PQnoticeProcessor p, void *argument),   \
     (c, p, argument))                                                                             \
  DO(int, PQsetSingleRowMode, (PGconn * c), (c))                                                   \
  DO(int, PQsetnonblocking, (PGconn * c, int value), (c, value))                                   \
  DO(int, PQsocket, (const PGconn *c), (c))                                                        \
  DO(ConnStatusType, PQstatus, (const PGconn *c), (c))                                             \
  DO(PGTransactionStatusType, PQtransactionStatus, (const PGconn *c), (c))

#define PROCEDURES(DO)                                                                             \
  DO(PQclear, (PGresult * r), (r))                                                                 \
  DO(PQconninfoFree, (PQconninfoOption * options), (options))                                      \
  DO(PQfinish, (PGconn * c), (c))                                                                  \
  DO(PQfreemem, (void *memory), (memory))

static struct {
#define MEMBER(result, name, parameters, arguments) result(*name) parameters;
#define VOID_MEMBER(name, parameters, arguments) void(*name) parameters;
  FUNCTIONS(MEMBER)
  PROCEDURES(VOID_MEMBER)
} libpq;

#define FORWARD(result, name, parameters, arguments)                                               \
  result name parameters { return libpq.name arguments; }
#define VOID_FORWARD(name, parameters, arguments)                                                  \
  void name parameters { libpq.name arguments; }
FUNCTIONS(FORWARD)
PROCEDURES(VOID_FORWARD)

static char reason[512];

static void load(void) {
  void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const char *missing = NULL;
  if (library) {
#define FIND(result, name, parameters, arguments) VOID_FIND(name, parameters, arguments)
#define VOID_FIND(name, parameters, arguments)                                                     \
  if (!(*(void **)&libpq.name = dlsym(library, #name))) missing = #name;
    FUNCTIONS(FIND)
    PROCEDURES(VOID_FIND)
    if (!missing) return;
    snprintf(reason, sizeof reason, "%s lacks %s; it is older than PostgreSQL 14", name, missing);
  } else {
    snprintf(reason, sizeof reason, "%s", dlerror());
  }
}

const char *cpostgresql_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return *reason ? reason : NULL;
}

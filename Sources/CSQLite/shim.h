// What Swift cannot see of SQLite, and nothing else: a variadic function, and constants that are
// expressions.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic. Statements cannot harm the file, and nothing that a damaged schema
// names is run.
static inline int csqlite_defend(sqlite3 *_Nonnull connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  return code ? code : sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

// If it keeps the log, closing the connection leaves it as it is, in place of bringing it into the file.
static inline int csqlite_keep_log(sqlite3 *_Nonnull connection, int keeps) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

static const int csqlite_ioerr_fsync = SQLITE_IOERR_FSYNC;

// SQLITE_TRANSIENT, which tells SQLite to copy the bytes, is -1 as a function pointer. Without bytes
// there may be no pointer either, which would be bound as null.
static inline int csqlite_bind_blob(sqlite3_stmt *_Nonnull statement, int index,
                                    const void *_Nullable bytes, int count) {
  return sqlite3_bind_blob(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text(sqlite3_stmt *_Nonnull statement, int index,
                                    const char *_Nullable bytes, int count) {
  return sqlite3_bind_text(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

#endif

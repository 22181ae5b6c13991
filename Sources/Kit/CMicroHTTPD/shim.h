// The parts of libmicrohttpd that Swift cannot import, variadic functions and nullability, and the memory
// settings of the C library.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <malloc.h>
#include <stdarg.h>

#include <microhttpd.h>
// The library uses GnuTLS for TLS, and its package includes these headers.
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#pragma clang assume_nonnull begin

// MHD_AccessHandlerCallback, MHD_KeyValueIteratorN and the like declare no nullability: in Swift every
// pointer would be optional and need unwrapping.
typedef enum MHD_Result (*chttpd_handler)(void *server, struct MHD_Connection *connection,
                                          const char *path, const char *method,
                                          const char *version, const char *_Nullable data,
                                          size_t *size, void *_Nullable *_Nonnull context);
typedef enum MHD_Result (*chttpd_accept)(void *server, const struct sockaddr *address,
                                         socklen_t length);
typedef void *_Nullable (*chttpd_target)(void *server, const char *target,
                                         struct MHD_Connection *connection);
typedef void (*chttpd_completed)(void *server, struct MHD_Connection *connection,
                                 void *_Nullable *_Nonnull context,
                                 enum MHD_RequestTerminationCode how);
typedef void (*chttpd_connected)(void *server, struct MHD_Connection *connection,
                                 void *_Nullable *_Nonnull context,
                                 enum MHD_ConnectionNotificationCode what);
typedef size_t (*chttpd_unescape)(void *server, struct MHD_Connection *connection, char *text);
typedef enum MHD_Result (*chttpd_field)(void *context, enum MHD_ValueKind kind, const char *name,
                                        size_t name_size, const char *_Nullable value,
                                        size_t value_size);

typedef void (*chttpd_log)(void *server, const char *format, va_list arguments);

struct chttpd_callbacks {
  chttpd_log log;
  chttpd_accept accept;
  chttpd_handler handle;
  chttpd_target target;
  chttpd_completed completed;
  chttpd_connected connected;
  chttpd_unescape unescape;
};

// MHD_start_daemon is variadic. The callbacks are its arguments, since the option array would hold them as
// integers.
static inline struct MHD_Daemon *_Nullable chttpd_start(unsigned int flags, int listener,
                                                        const struct chttpd_callbacks *callbacks,
                                                        void *server,
                                                        const struct MHD_OptionItem *options) {
  return MHD_start_daemon(
      flags, 0, callbacks->accept, server, callbacks->handle, server,
      // First, as the library requires, so that it applies to every message.
      MHD_OPTION_EXTERNAL_LOGGER, (MHD_LogCallback)callbacks->log, server,
      MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, server,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, server,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks->connected, server,
      MHD_OPTION_UNESCAPE_CALLBACK, callbacks->unescape, server,
      MHD_OPTION_ARRAY, options,
#if MHD_VERSION >= 0x01000000
      // From 1.0 on, this level refuses bare line feeds. Earlier versions then send malformed answers, so
      // they keep the default of 0.
      MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
      MHD_OPTION_END);
}

// MHD_get_connection_info is variadic; there is a function for each kind of information.
static inline int chttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *_Nullable chttpd_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

static inline void *_Nullable chttpd_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// The number of bytes from the method to the empty line, inclusive; 0 until the head is read.
static inline size_t chttpd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

// MHD_get_connection_values_n declares its callback without nullability.
static inline int chttpd_fields(struct MHD_Connection *connection, chttpd_field each,
                                void *context) {
  return MHD_get_connection_values_n(connection, MHD_HEADER_KIND, each, context);
}

// MHD_set_response_options is variadic. Without this option the library writes the end of a chunked body
// even where it sends none, as in the answer to HEAD.
static inline enum MHD_Result chttpd_send_unchunked(struct MHD_Response *response) {
  return MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// Swift does not import macros with a cast.
static const ssize_t chttpd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t chttpd_broken_stream = MHD_CONTENT_READER_END_WITH_ERROR;

#pragma clang assume_nonnull end

#endif

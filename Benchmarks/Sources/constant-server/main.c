// The least an HTTP server on libmicrohttpd can do, set up as menud sets it up: the answer to any
// request for /STATUS/BYTES is a constant body of so many bytes.
//
//   constant-server PORT        on 127.0.0.1, until SIGTERM

#include <arpa/inet.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char body[1 << 20];
static int sawHeaders;

static enum MHD_Result
answer(void *context, struct MHD_Connection *connection, const char *target, const char *method,
       const char *version, const char *upload, size_t *uploadSize, void **request) {
  (void)context, (void)method, (void)version, (void)upload;
  if (*request == NULL) {
    *request = &sawHeaders;
    return MHD_YES;
  }
  if (*uploadSize > 0) {
    *uploadSize = 0;
    return MHD_YES;
  }

  char *end;
  unsigned long status = strtoul(target + 1, &end, 10);
  size_t size = *end == '/' ? strtoul(end + 1, NULL, 10) : 0;
  if (status < 200 || status > 599 || size > sizeof body)
    return MHD_NO;

  struct MHD_Response *response =
      MHD_create_response_from_buffer(size, body, MHD_RESPMEM_PERSISTENT);
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
  enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
  MHD_destroy_response(response);
  return result;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: constant-server PORT\n");
    return 2;
  }
  // Blocked here, before there are other threads, so that the signal can be waited for below.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);

  memset(body, 'x', sizeof body);
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)atoi(arguments[1])),
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_SOCK_ADDR, &address,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16 * 1024, MHD_OPTION_END);
  if (daemon == NULL) {
    perror("constant-server");
    return 1;
  }
  int signal;
  sigwait(&signals, &signal);
  MHD_stop_daemon(daemon);
  return 0;
}

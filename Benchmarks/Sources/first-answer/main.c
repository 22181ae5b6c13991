// How long a server takes from exec to its first answer: starts it on the first core, and asks from
// the second for GET PATH until the answer is 200. Writes the microseconds and stops the server.
//
//   first-answer PORT PATH PROGRAM ARGUMENT...

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void pin(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

static int isAnswered(int port, const char *path) {
  char text[512];
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int client = socket(AF_INET, SOCK_STREAM, 0);
  int isAnswered = 0;
  if (connect(client, (struct sockaddr *)&address, sizeof address) == 0) {
    int size = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    if (send(client, text, (size_t)size, MSG_NOSIGNAL) == size)
      isAnswered = recv(client, text, sizeof text, 0) > 12 && memcmp(text + 9, "200", 3) == 0;
  }
  close(client);
  return isAnswered;
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: first-answer PORT PATH PROGRAM ARGUMENT...\n");
    return 2;
  }
  pin(1);
  double start = microseconds();
  pid_t server = fork();
  if (server == 0) {
    pin(0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    freopen("/dev/null", "w", stdout);
    execv(arguments[3], arguments + 3);
    perror(arguments[3]);
    _exit(1);
  }
  int isReady = 0;
  while (!isReady && microseconds() - start < 10e6) {
    isReady = isAnswered(atoi(arguments[1]), arguments[2]);
    if (!isReady) usleep(50);
  }
  double end = microseconds();
  kill(server, SIGTERM);
  waitpid(server, NULL, 0);
  if (isReady) printf("%.0f\n", end - start);
  return !isReady;
}

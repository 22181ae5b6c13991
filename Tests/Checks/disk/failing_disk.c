// A disk that fails when it is told to: put before a program by LD_PRELOAD.
//
// MENUD_DISK_FOLDER: the folder whose files fail. MENUD_DISK_CONTROL: a file whose first byte says how:
//   n  writes fail with ENOSPC          i  with EIO          r  with EROFS
//   s  writes are short                 f  fsync and fdatasync fail with EIO, writes do not
//   l  the same after a quarter of a second
//   m  each call fails or not, by chance
// Any other byte: nothing fails. Calls are passed on by their numbers, since a library that looks its
// namesakes up can meet itself.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int control = -1;
static const char *folder = "";

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("MENUD_DISK_CONTROL");
  if (path) control = open(path, O_RDONLY | O_CLOEXEC);
  if (getenv("MENUD_DISK_FOLDER")) folder = getenv("MENUD_DISK_FOLDER");
}

// How it fails now. It is read at each call, since a mapped page would end the program in the moment in which the file
// is emptied to be written anew; so long, the last mode goes on.
static char current_mode(void) {
  static _Atomic char last = '-';
  char mode;
  if (control >= 0 && pread(control, &mode, 1, 0) == 1) last = mode;
  return last;
}

static int is_meant(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path);
  size_t wanted = strlen(folder);
  return wanted > 0 && length > (ssize_t)wanted && !memcmp(path, folder, wanted) && path[wanted] == '/';
}

// The error number of a call, 0 for none; `short_count` is set where half of it is to be done.
static int fault(int file, int is_flush, int *short_count) {
  char mode = current_mode();
  if (!strchr("nirsflm", mode) || !mode || !is_meant(file)) return 0;
  if (mode == 'm') mode = "nirsf-----"[random() % 10];
  if (mode == 's' && short_count) *short_count = 1;
  if (mode == 'l' && is_flush) usleep(250000);
  if (mode == 'f' || mode == 'l') return is_flush ? EIO : 0;
  return is_flush ? 0 : mode == 'n' ? ENOSPC : mode == 'i' ? EIO : mode == 'r' ? EROFS : 0;
}

#define FAIL_OR(file, is_flush, short_count, call)          \
  int number = fault(file, is_flush, short_count);          \
  if (number) { errno = number; return -1; }                \
  return call

ssize_t write(int file, const void *bytes, size_t count) {
  int half = 0;
  FAIL_OR(file, 0, &half, syscall(SYS_write, file, bytes, half ? (count + 1) / 2 : count));
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  int half = 0;
  FAIL_OR(file, 0, &half, syscall(SYS_pwrite64, file, bytes, half ? (count + 1) / 2 : count, offset));
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return pwrite(file, bytes, count, offset);
}
int ftruncate(int file, off_t length) { FAIL_OR(file, 0, 0, syscall(SYS_ftruncate, file, length)); }
int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }
int fallocate(int file, int mode, off_t offset, off_t length) {
  FAIL_OR(file, 0, 0, syscall(SYS_fallocate, file, mode, offset, length));
}
int fallocate64(int file, int mode, off64_t offset, off64_t length) {
  return fallocate(file, mode, offset, length);
}
int posix_fallocate(int file, off_t offset, off_t length) {
  return fallocate(file, 0, offset, length) ? errno : 0;
}
int posix_fallocate64(int file, off64_t offset, off64_t length) {
  return posix_fallocate(file, offset, length);
}
int fsync(int file) { FAIL_OR(file, 1, 0, syscall(SYS_fsync, file)); }
int fdatasync(int file) { FAIL_OR(file, 1, 0, syscall(SYS_fdatasync, file)); }

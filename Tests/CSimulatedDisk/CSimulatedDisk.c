#include "CSimulatedDisk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTOR 512

typedef struct {
  unsigned char *bytes;
  int64_t size, capacity;
} Content;

// A write or, without bytes, a truncation that was not flushed.
typedef struct Pending {
  struct Pending *next;
  uint64_t order;
  int64_t offset;
  int32_t count;
  bool is_truncation;
  unsigned char bytes[];
} Pending;

typedef struct File {
  struct File *next;
  char *path;
  // As it is read, and as it is on the disk.
  Content now, kept;
  bool is_there, is_kept;
  // When its name was made or removed last.
  uint64_t name_order;
  Pending *pending, **end;
  void **regions;
  int region_count, region_size;
} File;

struct SimulatedDisk {
  SimulatedDisk *next;
  char *folder;
  size_t folder_length;
  SimulatedObserver observer;
  void *context;
  File *files;
  uint64_t order;
};

// What SQLite calls an open file.
typedef struct {
  sqlite3_file base;
  SimulatedDisk *disk;
  File *file;
} Handle;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static SimulatedDisk *disks;
static sqlite3_vfs *real;

static uint64_t next_random(uint64_t *state) {
  uint64_t mixed = *state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

// MARK: Content

static void reserve(Content *content, int64_t size) {
  if (size <= content->capacity) return;
  content->capacity = size < 16384 ? 16384 : size * 2;
  content->bytes = realloc(content->bytes, content->capacity);
  if (!content->bytes) abort();
}

static void set_size(Content *content, int64_t size) {
  reserve(content, size);
  if (size > content->size) memset(content->bytes + content->size, 0, size - content->size);
  content->size = size;
}

static void put(Content *content, int64_t offset, const unsigned char *bytes, int64_t count) {
  if (count <= 0) return;
  if (content->size < offset + count) set_size(content, offset + count);
  memcpy(content->bytes + offset, bytes, count);
}

static void copy(Content *content, const Content *other) {
  reserve(content, other->size);
  if (other->size) memcpy(content->bytes, other->bytes, other->size);
  content->size = other->size;
}

static void add_pending(SimulatedDisk *disk, File *file, int64_t offset, const void *bytes,
                        int32_t count) {
  Pending *pending = malloc(sizeof *pending + count);
  if (!pending) abort();
  *pending = (Pending){.order = ++disk->order, .offset = offset, .count = count};
  pending->is_truncation = !bytes;
  if (bytes) memcpy(pending->bytes, bytes, count);
  *file->end = pending;
  file->end = &pending->next;
}

static void carry_out(File *file, const Pending *pending) {
  if (pending->is_truncation) {
    set_size(&file->kept, pending->offset);
  } else {
    put(&file->kept, pending->offset, pending->bytes, pending->count);
  }
}

static void drop_pending(File *file) {
  while (file->pending) {
    Pending *pending = file->pending;
    file->pending = pending->next;
    free(pending);
  }
  file->end = &file->pending;
}


// Of each write: it reached the disk, it still can, or it never will, since the system takes it for
// written (as Linux does since 4.13).
static void fail_flush(File *file, uint64_t seed) {
  for (Pending **place = &file->pending; *place;) {
    Pending *pending = *place;
    uint64_t fate = next_random(&seed) % 3;
    if (fate == 0) {
      place = &pending->next;
      continue;
    }
    if (fate == 1) carry_out(file, pending);
    *place = pending->next;
    free(pending);
  }
  file->end = &file->pending;
  while (*file->end) file->end = &(*file->end)->next;
}

// MARK: Names

static SimulatedDisk *disk_of(const char *path) {
  if (!path) return NULL;
  pthread_mutex_lock(&mutex);
  SimulatedDisk *disk = disks;
  while (disk && strncmp(path, disk->folder, disk->folder_length)) disk = disk->next;
  pthread_mutex_unlock(&mutex);
  return disk;
}

static File *entry(SimulatedDisk *disk, const char *path) {
  File *file = disk->files;
  while (file && strcmp(file->path, path)) file = file->next;
  return file;
}

static bool has_name(const char *path) { return access(path, F_OK) == 0; }

// An opened file's name is marked with a byte; that of one which was just made outside of SQLite is empty.
static bool is_marked(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_size > 0;
}

static void empty(File *file) {
  drop_pending(file);
  file->now.size = file->kept.size = 0;
  file->is_there = file->is_kept = false;
}

// As with file systems that keep a log of names, all names are on the disk with the first flush of a file.
static void flush(SimulatedDisk *disk, File *flushed) {
  for (Pending *pending = flushed->pending; pending; pending = pending->next)
    carry_out(flushed, pending);
  drop_pending(flushed);
  for (File *file = disk->files; file; file = file->next) {
    if (!file->is_there) empty(file);
    file->is_kept = file->is_there;
  }
}

static File *add_file(SimulatedDisk *disk, const char *path) {
  File *file = calloc(1, sizeof *file);
  if (!file || !(file->path = strdup(path))) abort();
  file->end = &file->pending;
  file->next = disk->files;
  return disk->files = file;
}

// The file of a path if it is there, after what others did to its name.
static File *find(SimulatedDisk *disk, const char *path) {
  File *file = entry(disk, path);
  bool is_named = has_name(path);
  // Removed, and perhaps made again under the same name.
  if (file && file->is_there && (!is_named || (file->now.size && !is_marked(path)))) empty(file);
  if (is_named && (!file || !file->is_there)) {
    // Renamed, and its folder flushed afterwards.
    char former[4096];
    if (strlen(path) + 5 > sizeof former) return NULL;
    strcat(strcpy(former, path), ".new");
    File *renamed = entry(disk, former);
    if (!renamed || !renamed->is_there || has_name(former)) return NULL;
    if (file) strcat(file->path = realloc(file->path, strlen(path) + 5), ".old");
    free(renamed->path);
    renamed->path = strdup(path);
    renamed->is_kept = true;
    return renamed;
  }
  return file && file->is_there ? file : NULL;
}

// Notices whether a file was renamed since it was looked for last.
static void notice_renaming(SimulatedDisk *disk, const File *file) {
  char path[4096];
  size_t length = strlen(file->path);
  if (length < 4 || length >= sizeof path || strcmp(file->path + length - 4, ".new")) return;
  memcpy(path, file->path, length - 4);
  path[length - 4] = 0;
  find(disk, path);
}

static void write_name(const char *path, const void *bytes, int64_t count) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) abort();
  if (count && write(descriptor, bytes, count) != count) abort();
  close(descriptor);
}

// MARK: Files of SQLite

static SimulatedVerdict ask(SimulatedDisk *disk, SimulatedOperation operation, const char *path,
                            int32_t count, bool is_growing) {
  return disk->observer(disk->context, operation, path, count, is_growing);
}

static int answer(SimulatedVerdict verdict) {
  errno = verdict.system;
  return verdict.code;
}

static int close_file(sqlite3_file *base) {
  (void)base;
  return SQLITE_OK;
}

static int read_file(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  Handle *handle = (Handle *)base;
  SimulatedVerdict verdict =
      ask(handle->disk, SimulatedOperationRead, handle->file->path, count, false);
  if (verdict.code) return answer(verdict);
  Content *now = &handle->file->now;
  int64_t found = now->size - offset;
  if (found > count) found = count;
  if (found < 0) found = 0;
  if (found) memcpy(bytes, now->bytes + offset, found);
  if (found == count) return SQLITE_OK;
  memset((char *)bytes + found, 0, count - found);
  return SQLITE_IOERR_SHORT_READ;
}

static int write_file(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  Handle *handle = (Handle *)base;
  SimulatedVerdict verdict =
      ask(handle->disk, SimulatedOperationWrite, handle->file->path, count,
          offset + count > handle->file->now.size);
  int32_t taken = verdict.code ? verdict.taken : count;
  if (taken > 0) {
    put(&handle->file->now, offset, bytes, taken);
    add_pending(handle->disk, handle->file, offset, bytes, taken);
  }
  return answer(verdict);
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
  Handle *handle = (Handle *)base;
  SimulatedVerdict verdict =
      ask(handle->disk, SimulatedOperationTruncate, handle->file->path, 0, false);
  if (!verdict.code) {
    set_size(&handle->file->now, size);
    add_pending(handle->disk, handle->file, size, NULL, 0);
  }
  return answer(verdict);
}

static int flush_file(sqlite3_file *base, int flags) {
  (void)flags;
  Handle *handle = (Handle *)base;
  SimulatedVerdict verdict = ask(handle->disk, SimulatedOperationFlush, handle->file->path, 0, false);
  if (!verdict.code) {
    if (verdict.taken >= 0) flush(handle->disk, handle->file);
  } else if (verdict.seed) {
    fail_flush(handle->file, verdict.seed);
  }
  return answer(verdict);
}

static int size_of_file(sqlite3_file *base, sqlite3_int64 *size) {
  *size = ((Handle *)base)->file->now.size;
  return SQLITE_OK;
}

static int lock_file(sqlite3_file *base, int level) {
  (void)base, (void)level;
  return SQLITE_OK;
}

static int is_reserved(sqlite3_file *base, int *answer) {
  (void)base;
  *answer = 0;
  return SQLITE_OK;
}

static int control(sqlite3_file *base, int operation, void *argument) {
  (void)base, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *base) {
  (void)base;
  return 4096;
}

static int characteristics(sqlite3_file *base) {
  (void)base;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int map_region(sqlite3_file *base, int index, int size, int extends,
                      void volatile **region) {
  File *file = ((Handle *)base)->file;
  *region = NULL;
  if (index >= file->region_count) {
    if (!extends) return SQLITE_OK;
    file->regions = realloc(file->regions, (index + 1) * sizeof *file->regions);
    if (!file->regions) abort();
    while (file->region_count <= index) file->regions[file->region_count++] = calloc(1, size);
  }
  *region = file->regions[index];
  return SQLITE_OK;
}

static int lock_region(sqlite3_file *base, int offset, int count, int flags) {
  (void)base, (void)offset, (void)count, (void)flags;
  return SQLITE_OK;
}

static void barrier(sqlite3_file *base) { (void)base; }

static int unmap(sqlite3_file *base, int deletes) {
  (void)deletes;
  File *file = ((Handle *)base)->file;
  for (int index = 0; index < file->region_count; index++) free(file->regions[index]);
  free(file->regions);
  file->regions = NULL;
  file->region_count = 0;
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    2,         close_file,  read_file,   write_file, truncate_file,   flush_file,    size_of_file,
    lock_file, lock_file,   is_reserved, control,    sector_size,     characteristics, map_region,
    lock_region, barrier,   unmap,
};

// MARK: The file system of SQLite

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out) {
  (void)vfs;
  SimulatedDisk *disk = disk_of(path);
  if (!disk) return real->xOpen(real, path, base, flags, out);
  Handle *handle = (Handle *)base;
  handle->base.pMethods = NULL;
  SimulatedVerdict verdict = ask(disk, SimulatedOperationOpen, path, 0, false);
  if (verdict.code) return answer(verdict);
  File *file = find(disk, path);
  if (!file) {
    if (!(flags & SQLITE_OPEN_CREATE)) {
      errno = ENOENT;
      return SQLITE_CANTOPEN;
    }
    file = entry(disk, path);
    if (!file) file = add_file(disk, path);
    // Of a name that was removed the old content is still there, until that is on the disk too.
    if (file->is_kept) add_pending(disk, file, 0, NULL, 0);
    file->now.size = 0;
    file->is_there = true;
    file->name_order = ++disk->order;
  }
  if (!is_marked(path)) write_name(path, "?", 1);
  handle->disk = disk;
  handle->file = file;
  handle->base.pMethods = &methods;
  if (out) *out = flags;
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int is_flushed) {
  (void)vfs;
  SimulatedDisk *disk = disk_of(path);
  if (!disk) return real->xDelete(real, path, is_flushed);
  File *file = find(disk, path);
  if (!file) return SQLITE_IOERR_DELETE_NOENT;
  SimulatedVerdict verdict = ask(disk, SimulatedOperationDelete, path, 0, false);
  if (verdict.code) return answer(verdict);
  unlink(path);
  file->now.size = 0;
  file->is_there = false;
  file->name_order = ++disk->order;
  if (is_flushed) empty(file);
  return SQLITE_OK;
}

static int access_file(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  (void)vfs;
  SimulatedDisk *disk = disk_of(path);
  if (!disk) return real->xAccess(real, path, flags, answer);
  File *file = find(disk, path);
  *answer = file && (flags != SQLITE_ACCESS_EXISTS || file->now.size > 0);
  return SQLITE_OK;
}

static int full_path(sqlite3_vfs *vfs, const char *path, int size, char *result) {
  (void)vfs;
  if (!disk_of(path)) return real->xFullPathname(real, path, size, result);
  sqlite3_snprintf(size, result, "%s", path);
  return SQLITE_OK;
}

static void *dl_open(sqlite3_vfs *vfs, const char *path) {
  (void)vfs;
  return real->xDlOpen(real, path);
}
static void dl_error(sqlite3_vfs *vfs, int count, char *text) {
  (void)vfs;
  real->xDlError(real, count, text);
}
static void (*dl_symbol(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  (void)vfs;
  return real->xDlSym(real, library, name);
}
static void dl_close(sqlite3_vfs *vfs, void *library) {
  (void)vfs;
  real->xDlClose(real, library);
}
static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  (void)vfs;
  return real->xRandomness(real, count, bytes);
}
static int nap(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return real->xSleep(real, microseconds);
}
static int current_time(sqlite3_vfs *vfs, double *time) {
  (void)vfs;
  return real->xCurrentTime(real, time);
}
static int last_error(sqlite3_vfs *vfs, int count, char *text) {
  (void)vfs;
  return real->xGetLastError(real, count, text);
}
static int current_time64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  (void)vfs;
  return real->xCurrentTimeInt64(real, time);
}

static sqlite3_vfs vfs = {
    .iVersion = 2,           .zName = "simulated",    .xOpen = open_file,
    .xDelete = delete_file,  .xAccess = access_file,  .xFullPathname = full_path,
    .xDlOpen = dl_open,      .xDlError = dl_error,    .xDlSym = dl_symbol,
    .xDlClose = dl_close,    .xRandomness = randomness, .xSleep = nap,
    .xCurrentTime = current_time, .xGetLastError = last_error,
    .xCurrentTimeInt64 = current_time64,
};

// MARK: Disks

static void become_default(void) {
  // SQLite's statistics take a lock for each allocation, which simulations beside each other would wait for.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  real = sqlite3_vfs_find(NULL);
  if (!real) abort();
  vfs.szOsFile = real->szOsFile > (int)sizeof(Handle) ? real->szOsFile : (int)sizeof(Handle);
  vfs.mxPathname = real->mxPathname;
  sqlite3_vfs_register(&vfs, 1);
}

SimulatedDisk *simulated_disk_make(const char *folder, SimulatedObserver observer, void *context) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, become_default);
  SimulatedDisk *disk = calloc(1, sizeof *disk);
  if (!disk || !(disk->folder = malloc(strlen(folder) + 2))) abort();
  strcat(strcpy(disk->folder, folder), "/");
  disk->folder_length = strlen(disk->folder);
  disk->observer = observer;
  disk->context = context;
  pthread_mutex_lock(&mutex);
  disk->next = disks;
  disks = disk;
  pthread_mutex_unlock(&mutex);
  return disk;
}

void simulated_disk_free(SimulatedDisk *disk) {
  pthread_mutex_lock(&mutex);
  SimulatedDisk **place = &disks;
  while (*place != disk) place = &(*place)->next;
  *place = disk->next;
  pthread_mutex_unlock(&mutex);
  while (disk->files) {
    File *file = disk->files;
    disk->files = file->next;
    drop_pending(file);
    free(file->now.bytes);
    free(file->kept.bytes);
    free(file->path);
    free(file);
  }
  free(disk->folder);
  free(disk);
}

typedef struct {
  SimulatedLoss loss;
  uint32_t survival;
  // The last change that is left by `SimulatedLossEnd`.
  uint64_t last;
  uint64_t random;
} Choice;

static bool survives(Choice *choice, uint64_t order) {
  switch (choice->loss) {
    case SimulatedLossNothing: return true;
    case SimulatedLossEverything: return false;
    case SimulatedLossEnd: return order <= choice->last;
    case SimulatedLossAnything: return next_random(&choice->random) % 100 < choice->survival;
  }
  abort();
}

// Of the last write that a disk does in order, some sectors may be there.
static bool is_torn(const Choice *choice, const Pending *pending) {
  return choice->loss == SimulatedLossAnything ||
         (choice->loss == SimulatedLossEnd && pending->order == choice->last + 1);
}

static void leave(File *file, const Pending *pending, Choice *choice) {
  if (pending->is_truncation || !is_torn(choice, pending)) {
    if (survives(choice, pending->order)) carry_out(file, pending);
    return;
  }
  uint32_t survival = choice->loss == SimulatedLossAnything ? choice->survival : 50;
  for (int64_t start = pending->offset, end = pending->offset + pending->count; start < end;) {
    int64_t next = (start / SECTOR + 1) * SECTOR;
    if (next > end) next = end;
    if (next_random(&choice->random) % 100 < survival)
      put(&file->kept, start, pending->bytes + (start - pending->offset), next - start);
    start = next;
  }
}

static void lose(File *file, Choice *choice) {
  bool is_there = file->is_there;
  if (file->is_there != file->is_kept && !survives(choice, file->name_order))
    is_there = file->is_kept;
  for (Pending *pending = file->pending; pending; pending = pending->next)
    leave(file, pending, choice);
  drop_pending(file);
  if (!is_there) return empty(file);
  copy(&file->now, &file->kept);
  file->is_there = file->is_kept = true;
}

static bool has_end(const char *path, const char *end) {
  size_t length = strlen(path), count = strlen(end);
  return length >= count && !strcmp(path + length - count, end);
}

// Logs whole, since they are looked at before SQLite; of others only whether they are empty.
static void show_name(const File *file) {
  if (!file->is_there) {
    unlink(file->path);
  } else if (has_end(file->path, "-wal")) {
    write_name(file->path, file->now.bytes, file->now.size);
  } else {
    write_name(file->path, "?", file->now.size ? 1 : 0);
  }
}

void simulated_disk_restart(SimulatedDisk *disk, SimulatedLoss loss, uint32_t survival,
                            uint64_t seed) {
  Choice choice = {.loss = loss, .survival = survival, .random = seed};
  uint64_t first = disk->order;
  for (File *file = disk->files; file; file = file->next) notice_renaming(disk, file);
  for (File *file = disk->files; file; file = file->next) {
    if (entry(disk, file->path) == file && file->is_there) find(disk, file->path);
    if (file->pending && file->pending->order - 1 < first) first = file->pending->order - 1;
  }
  choice.last = first + next_random(&choice.random) % (disk->order - first + 1);
  for (File *file = disk->files; file; file = file->next) {
    // Of a process alone nothing is lost, and what a failed flush left nowhere but in the system's memory stays
    // there.
    if (loss != SimulatedLossNothing) lose(file, &choice);
    show_name(file);
  }
}

void simulated_disk_copy(SimulatedDisk *disk, const SimulatedDisk *other) {
  for (const File *file = other->files; file; file = file->next) {
    if (!file->is_there) continue;
    char path[4096];
    sqlite3_snprintf(sizeof path, path, "%s%s", disk->folder, file->path + other->folder_length);
    File *twin = add_file(disk, path);
    copy(&twin->now, &file->now);
    copy(&twin->kept, &file->now);
    twin->is_there = twin->is_kept = true;
    show_name(twin);
  }
}

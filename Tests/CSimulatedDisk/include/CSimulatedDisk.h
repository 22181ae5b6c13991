// A file system in memory for SQLite: it asks before each operation what is to become of it, and forgets
// on demand what was not flushed.
//
// The names of its files are in a real folder too, where other code looks for them, renames and removes
// them. The bytes are in memory. Files of other folders are the system's, as without it.
#ifndef CSIMULATED_DISK_H
#define CSIMULATED_DISK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SimulatedDisk SimulatedDisk;

typedef enum {
  SimulatedOperationOpen,
  SimulatedOperationRead,
  SimulatedOperationWrite,
  SimulatedOperationFlush,
  SimulatedOperationTruncate,
  SimulatedOperationDelete,
} SimulatedOperation;

typedef struct {
  /// SQLite's result; 0 to carry the operation out.
  int32_t code;
  /// The `errno` that goes with it.
  int32_t system;
  /// The number of bytes of a failed write that are written nevertheless; -1 for a flush that only says
  /// that it succeeded.
  int32_t taken;
  /// For a failed flush: decides which of the writes reached the disk, which still can, and which never
  /// will, though they are read as before.
  uint64_t seed;
} SimulatedVerdict;

/// Decides about an operation on the file of a path, with so many bytes, which make the file longer or not.
typedef SimulatedVerdict (*SimulatedObserver)(void *_Nullable context, SimulatedOperation operation,
                                              const char *_Nonnull path, int32_t count,
                                              bool is_growing);

/// The rest of writes that were not flushed.
typedef enum {
  /// All: only the process ended.
  SimulatedLossNothing,
  /// None.
  SimulatedLossEverything,
  /// Those before a moment, as with a disk that writes in order.
  SimulatedLossEnd,
  /// Any sectors of 512 bytes of any of them.
  SimulatedLossAnything,
} SimulatedLoss;

/// A disk with the files of a folder, which is empty. The first one becomes what SQLite uses by default.
SimulatedDisk *_Nonnull simulated_disk_make(const char *_Nonnull folder,
                                            SimulatedObserver _Nonnull observer,
                                            void *_Nullable context);
void simulated_disk_free(SimulatedDisk *_Nonnull disk);

/// Makes the content what is found after an end of the process or of the power. No file is open.
///
/// `survival` is the percentage of sectors that `SimulatedLossAnything` leaves.
void simulated_disk_restart(SimulatedDisk *_Nonnull disk, SimulatedLoss loss, uint32_t survival,
                            uint64_t seed);

/// Makes the files those of another disk, all flushed.
void simulated_disk_copy(SimulatedDisk *_Nonnull disk, const SimulatedDisk *_Nonnull other);

#endif

#include <stddef.h>

/// The path of a file in the folder of this target; null after the last one.
const char *_Nullable embeddedPath(size_t index);

/// The text of that file, with a terminating zero; null after the last one.
const unsigned char *_Nullable embeddedText(size_t index);

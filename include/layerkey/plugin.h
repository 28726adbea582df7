/* The C interface by which a plug-in adds options to a compiler that is built with layerkey: a
   name, a value, and the layers that the value affects. The compiler hands out the handles and
   includes <layerkey/plugin.hpp> in at least one source file. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define LAYERKEY_C_API __attribute__((visibility("default")))
#define LAYERKEY_C_NOEXCEPT noexcept
extern "C" {
#else
#define LAYERKEY_C_API
#define LAYERKEY_C_NOEXCEPT
#endif

/* The options that plug-ins added, to add more. */
typedef struct layerkey_extensions layerkey_extensions;

/* Those that the stage of one layer may read. */
typedef struct layerkey_extensions_part layerkey_extensions_part;

typedef enum layerkey_status {
  LAYERKEY_OK = 0,
  LAYERKEY_EMPTY_NAME = 1,
  LAYERKEY_DUPLICATE_NAME = 2,
  LAYERKEY_NO_LAYER = 3,
  LAYERKEY_UNKNOWN_LAYER = 4,
  LAYERKEY_NULL_ARGUMENT = 5,
  LAYERKEY_OUT_OF_MEMORY = 6,
  LAYERKEY_NOT_FOUND = 7, /* no option of that name affects this layer */
  LAYERKEY_OTHER_KIND = 8 /* there is one, but its value is of another kind */
} layerkey_status;

/* Each adds an option or says why not, and then leaves everything as it was. `layers` names them
   separated by commas: "codegen,linking". Text and bytes are copied. */
LAYERKEY_C_API layerkey_status layerkey_extensions_set_bool(layerkey_extensions* to,
                                                            char const* name, int value,
                                                            char const* layers) LAYERKEY_C_NOEXCEPT;
LAYERKEY_C_API layerkey_status layerkey_extensions_set_int(layerkey_extensions* to,
                                                           char const* name, int64_t value,
                                                           char const* layers) LAYERKEY_C_NOEXCEPT;
LAYERKEY_C_API layerkey_status
layerkey_extensions_set_double(layerkey_extensions* to, char const* name, double value,
                               char const* layers) LAYERKEY_C_NOEXCEPT;
LAYERKEY_C_API layerkey_status layerkey_extensions_set_text(layerkey_extensions* to,
                                                            char const* name, char const* value,
                                                            char const* layers) LAYERKEY_C_NOEXCEPT;
LAYERKEY_C_API layerkey_status
layerkey_extensions_set_bytes(layerkey_extensions* to, char const* name, void const* bytes,
                              size_t size, char const* layers) LAYERKEY_C_NOEXCEPT;

/* Why the last call with this handle failed, in one line; empty if it did not. Valid until the next
   call. */
LAYERKEY_C_API char const* layerkey_extensions_message(layerkey_extensions const* of)
    LAYERKEY_C_NOEXCEPT;

/* Each reads an option into *value and leaves *value alone where there is none. What text and bytes
   point to is valid while the stage runs; text ends with a zero that `size` does not count. */
LAYERKEY_C_API layerkey_status layerkey_extensions_get_bool(layerkey_extensions_part const* from,
                                                            char const* name,
                                                            int* value) LAYERKEY_C_NOEXCEPT;
LAYERKEY_C_API layerkey_status layerkey_extensions_get_int(layerkey_extensions_part const* from,
                                                           char const* name,
                                                           int64_t* value) LAYERKEY_C_NOEXCEPT;
LAYERKEY_C_API layerkey_status layerkey_extensions_get_double(layerkey_extensions_part const* from,
                                                              char const* name,
                                                              double* value) LAYERKEY_C_NOEXCEPT;
LAYERKEY_C_API layerkey_status layerkey_extensions_get_text(layerkey_extensions_part const* from,
                                                            char const* name, char const** value,
                                                            size_t* size) LAYERKEY_C_NOEXCEPT;
LAYERKEY_C_API layerkey_status layerkey_extensions_get_bytes(layerkey_extensions_part const* from,
                                                             char const* name, void const** value,
                                                             size_t* size) LAYERKEY_C_NOEXCEPT;

/* Writes at most `capacity` bytes that are the same exactly for parts that the stage cannot tell
   apart, and returns how many there are. For comparisons in this process. */
LAYERKEY_C_API size_t layerkey_extensions_key(layerkey_extensions_part const* of, void* bytes,
                                              size_t capacity) LAYERKEY_C_NOEXCEPT;

#if defined(__cplusplus)
}
#endif

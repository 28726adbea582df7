// stb_image, as Debian's libstb-dev has it: decoders of PNG, JPEG and seven other formats, from
// memory. No variables of threads' own: a JIT may have no storage for them.

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ASSERT(condition) ((void)0)
#define STBI_NO_STDIO
#define STBI_NO_THREAD_LOCALS
#include <stb/stb_image.h>

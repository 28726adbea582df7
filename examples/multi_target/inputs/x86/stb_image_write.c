// stb_image_write, as Debian's libstb-dev has it: encoders of PNG, JPEG, BMP and TGA, to a
// callback.

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBIW_ASSERT(condition) ((void)0)
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

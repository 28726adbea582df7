/* What the plug-in of the tests offers. */
#pragma once

#include <layerkey/plugin.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct plugin_options {
  int found;
  int64_t depth;
  int fast;
  double ratio;
  char const* pass;
  size_t pass_size;
  void const* blob;
  size_t blob_size;
} plugin_options;

layerkey_status plugin_add_options(layerkey_extensions* options);
layerkey_status plugin_add_misspelt(layerkey_extensions* options);
int plugin_reads(layerkey_extensions_part const* part, plugin_options* into);
int plugin_parts_are_same(layerkey_extensions_part const* a, layerkey_extensions_part const* b);

#if defined(__cplusplus)
}
#endif

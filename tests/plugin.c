/* A plug-in, written in C. */
#include "plugin.h"

#include <string.h>

layerkey_status plugin_add_options(layerkey_extensions* options) {
  unsigned char const blob[] = {1, 0, 255};
  layerkey_status status = layerkey_extensions_set_int(options, "depth", -3, "inference");
  if (status != LAYERKEY_OK) return status;
  status = layerkey_extensions_set_bool(options, "fast", 7, "codegen");
  if (status != LAYERKEY_OK) return status;
  status = layerkey_extensions_set_double(options, "ratio", 0.5, "inference, codegen");
  if (status != LAYERKEY_OK) return status;
  status = layerkey_extensions_set_text(options, "pass", "licm", "codegen");
  if (status != LAYERKEY_OK) return status;
  return layerkey_extensions_set_bytes(options, "blob", blob, sizeof blob, "codegen");
}

layerkey_status plugin_add_misspelt(layerkey_extensions* options) {
  return layerkey_extensions_set_int(options, "width", 1, "codegen,linkng");
}

int plugin_reads(layerkey_extensions_part const* part, plugin_options* into) {
  into->found = 0;
  into->found += layerkey_extensions_get_int(part, "depth", &into->depth) == LAYERKEY_OK;
  into->found += layerkey_extensions_get_bool(part, "fast", &into->fast) == LAYERKEY_OK;
  into->found += layerkey_extensions_get_double(part, "ratio", &into->ratio) == LAYERKEY_OK;
  into->found +=
      layerkey_extensions_get_text(part, "pass", &into->pass, &into->pass_size) == LAYERKEY_OK;
  into->found +=
      layerkey_extensions_get_bytes(part, "blob", &into->blob, &into->blob_size) == LAYERKEY_OK;
  return into->found;
}

int plugin_parts_are_same(layerkey_extensions_part const* a, layerkey_extensions_part const* b) {
  unsigned char x[256], y[256];
  size_t const size = layerkey_extensions_key(a, x, sizeof x);
  return size == layerkey_extensions_key(b, y, sizeof y) && size <= sizeof x &&
         memcmp(x, y, size) == 0;
}

// A text of more characters than one can hold.
// expect: inline_text holds at most 65,535 characters
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
#ifdef SHOW_ERROR
  inline_text<65'536> source;
#else
  inline_text<65'535> source;
#endif
};
int size(params const& p) { return static_cast<int>(p.source.size()); }

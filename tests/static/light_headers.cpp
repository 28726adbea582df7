// What most users of a description include stays light: no heavy standard header comes with it.
#include <layerkey/complete.hpp>
#include <layerkey/key.hpp>
#include <layerkey/layerkey.hpp>

// The include guards of libstdc++.
#if defined(_GLIBCXX_STRING) || defined(_GLIBCXX_STRING_VIEW) || defined(_GLIBCXX_VECTOR) || \
    defined(_GLIBCXX_ARRAY) || defined(_GLIBCXX_OPTIONAL) || defined(_GLIBCXX_FUNCTIONAL) || \
    defined(_GLIBCXX_TUPLE) || defined(_GLIBCXX_RANGES) || defined(_GLIBCXX_IOSTREAM)
#error "layerkey: a light header includes a heavy one"
#endif

// Inlining where the compiler optimises at all. Without, it would only take compile time.
#pragma once

// What happens where nothing was found and a compiler is going to run: small rather than fast, to
// run and to compile.
#define LAYERKEY_COLD [[gnu::cold, gnu::noinline]]

#ifdef __OPTIMIZE__
#define LAYERKEY_ALWAYS_INLINE [[gnu::always_inline]]
#define LAYERKEY_ALWAYS_INLINE_LAMBDA __attribute__((always_inline))
#else
#define LAYERKEY_ALWAYS_INLINE
#define LAYERKEY_ALWAYS_INLINE_LAMBDA
#endif

namespace layerkey::detail {

#ifdef __OPTIMIZE__
constexpr bool optimises = true;
#else
constexpr bool optimises = false;
#endif

}  // namespace layerkey::detail

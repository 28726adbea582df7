// llvm::Expected as what a stage returns.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/stage.hpp>

#include <llvm/Support/Error.h>

#include <utility>

namespace layerkey {

// The artifact, or the text of the error. The error itself is consumed: it reaches everybody who
// waits for the artifact, so it has to be something that can be copied.
template<class A>
struct stage_result<llvm::Expected<A>> {
  using artifact = A;
  static outcome<A> take(llvm::Expected<A> result) {
    if (!result) return diagnostics{llvm::toString(result.takeError())};
    return outcome<A>(std::move(*result));
  }
};

}  // namespace layerkey

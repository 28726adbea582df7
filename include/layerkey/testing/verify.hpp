// Verifies all that layerkey promises for a params struct, and all that it relies on: on the user's
// own values, and on others that are generated from them. Needs no test framework.
#pragma once

#include <layerkey/testing/changes.hpp>
#include <layerkey/testing/report.hpp>
#include <layerkey/testing/verify_changes.hpp>
#include <layerkey/testing/verify_keys.hpp>
#include <layerkey/testing/verify_listing.hpp>
#include <layerkey/testing/verify_narrowed.hpp>
#include <layerkey/testing/verify_values.hpp>

#include <vector>

namespace layerkey::testing {

// For these layers and all upstream of them. A few params are enough: together they should hold at
// least two values of each member that none can be made up for (see verify_options::generate), and
// those that the struct's conditions and projections tell apart.
//
//   auto const report = layerkey::testing::verify<params, codegen>({params{}, params{.sm = 80}});
//   CHECK(report.ok()); puts(report.to_text().c_str());
template<class P, class... Layers>
report verify(std::vector<P> const& values, verify_options const& options = {}) {
  static_assert(complete<P>);
  static_assert(sizeof...(Layers) > 0, "layerkey: name the layers whose keys are to be verified.");
  report all;
  if (values.empty()) {
    all.leave_unchecked("anything: no params were given");
    return all;
  }
  all += verify_listing<P>(values, options);
  all += verify_values<P, Layers...>(values, options);
  all += verify_functions<P>(values, options);
  all += verify_members<P>(values, options);
  // Words at places that were not promised would be written beyond the key.
  if (all.found(law::shape_agrees)) {
    all.leave_unchecked("keys: first value<T>::write has to agree with atoms and shape");
    return all;
  }
  all += verify_keys<P, Layers...>(values, options);
  all += verify_tables<P, Layers...>(values, options);
  all += verify_changes<P, Layers...>(values, options);
  all += verify_narrowed<P, Layers...>(values, options);
  return all;
}

}  // namespace layerkey::testing

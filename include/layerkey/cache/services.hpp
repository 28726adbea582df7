// What stages use and no key knows: loggers, thread pools, allocators.
#pragma once

#include <type_traits>

namespace layerkey {

// A stage may take services behind its view, by reference; the pipeline's constructor is given
// them. To allow it, say why nothing in them changes an artifact:
//
//   template<>
//   struct layerkey::service<logger> {
//     static constexpr layerkey::text reason = "says what happens; no stage reads it";
//   };
template<class Service>
struct service {};

namespace detail {

template<class S>
concept described_service = requires { service<std::remove_cv_t<S>>::reason; };

}  // namespace detail
}  // namespace layerkey

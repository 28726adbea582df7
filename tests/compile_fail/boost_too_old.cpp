// An old Boost. It is named as such, before Mp11 gives errors of its own.
#ifdef SHOW_ERROR
#define BOOST_VERSION_HPP
#define BOOST_VERSION 107400
#endif
#include <layerkey/layer.hpp>
// expect: layerkey needs Boost 1.81 or later

int main() {}

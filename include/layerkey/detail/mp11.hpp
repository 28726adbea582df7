// Boost.Mp11, the one library that the core needs, and the version that it was tried with.
#pragma once

#include <boost/version.hpp>

#if BOOST_VERSION < 108100
#error \
    "layerkey needs Boost 1.81 or later (headers only). On Debian 12: apt-get install libboost1.81-dev"
#endif

#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

namespace layerkey {

namespace mp = boost::mp11;

}  // namespace layerkey

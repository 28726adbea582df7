// All of Boost.Mp11's algorithms, for what declaring and keys do not need.
#pragma once

#include <layerkey/detail/light_mp11.hpp>

#include <boost/mp11/algorithm.hpp>

// For the tests of those who describe params: verify() checks the whole contract of a struct,
// shadow() runs a hand-written hash and equality beside its keys. Needs no test framework.
#pragma once

#include <layerkey/testing/report.hpp>
#include <layerkey/testing/shadow.hpp>
#include <layerkey/testing/slots.hpp>
#include <layerkey/testing/values.hpp>
#include <layerkey/testing/verify.hpp>

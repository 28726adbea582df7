// For the tests of those who describe params: verify() checks the whole contract of a struct,
// shadow() runs a hand-written hash and equality beside its keys. Needs no test framework.
#pragma once

#include <layerkey/testing/changes.hpp>
#include <layerkey/testing/report.hpp>
#include <layerkey/testing/shadow.hpp>
#include <layerkey/testing/slots.hpp>
#include <layerkey/testing/values.hpp>
#include <layerkey/testing/verify.hpp>
#include <layerkey/testing/verify_changes.hpp>
#include <layerkey/testing/verify_keys.hpp>
#include <layerkey/testing/verify_narrowed.hpp>
#include <layerkey/testing/verify_values.hpp>
#include <layerkey/testing/walk.hpp>

// Declaring what the options of a compiler affect, and the keys and views that follow from it.
#pragma once

#include <layerkey/complete.hpp>
#include <layerkey/describe.hpp>
#include <layerkey/field.hpp>
#include <layerkey/key.hpp>
#include <layerkey/layer.hpp>
#include <layerkey/text.hpp>
#include <layerkey/value.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/view.hpp>

// Everything that needs no LLVM.
#pragma once

#include <layerkey/cache/memory_cache.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/cache/run_report.hpp>
#include <layerkey/cache/stage.hpp>
#include <layerkey/cache/statistics.hpp>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/enumerators.hpp>
#include <layerkey/explain.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/member_table.hpp>
#include <layerkey/members.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

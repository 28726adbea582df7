// The implementation of the stores, for programs that do not link layerkey::store: include this in
// one translation unit, and link LMDB, hiredis, libsodium and zstd.
#pragma once

#include <layerkey/store/detail/entry_format.ipp>
#include <layerkey/store/detail/entry_store.ipp>
#include <layerkey/store/detail/lmdb_bytes.ipp>
#include <layerkey/store/detail/lmdb_environment.ipp>
#include <layerkey/store/detail/lmdb_folder.ipp>
#include <layerkey/store/detail/lmdb_guard.ipp>
#include <layerkey/store/detail/lmdb_store.ipp>
#include <layerkey/store/detail/lmdb_structure.ipp>
#include <layerkey/store/detail/provenance.ipp>
#include <layerkey/store/detail/redis_cluster.ipp>
#include <layerkey/store/detail/redis_connection.ipp>
#include <layerkey/store/detail/redis_live.ipp>
#include <layerkey/store/detail/redis_node.ipp>
#include <layerkey/store/detail/redis_store.ipp>
#include <layerkey/store/detail/redis_url.ipp>
#include <layerkey/store/detail/secret.ipp>
#include <layerkey/store/detail/tiered_store.ipp>

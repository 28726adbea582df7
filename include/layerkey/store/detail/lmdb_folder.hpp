// The folder of an LMDB file: whose it is, where it lies, what is in it.
#pragma once

#include <layerkey/store/lmdb_bytes.hpp>

#include <sys/types.h>

#include <string>

namespace layerkey::detail {

// "NFS" and the like, for f_type of statfs; nothing for those that are no network's.
char const* lmdb_network_file_system(unsigned long type);

// Makes it if it may, and says why it must not be used, or nothing.
std::string lmdb_prepare_folder(std::string const& folder, lmdb_file_options const& options,
                                bool may_make);

// Of files in it.
mode_t lmdb_file_mode(lmdb_sharing sharing);

// Why a file must not be trusted, or nothing.
std::string lmdb_foreign(int file, lmdb_sharing sharing);

// The name of the file with entries; empty if there is none. With `tidy`, what is left of earlier
// ones goes.
std::string lmdb_find_file(std::string const& folder, bool tidy);
std::string lmdb_new_file(std::string const& folder);

// Renames it to *.broken-N and keeps the newest two of those. False: it could not be.
bool lmdb_set_aside(std::string const& folder, std::string const& path);

// "No space left on device"
std::string lmdb_error_text(int error);

}  // namespace layerkey::detail

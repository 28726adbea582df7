// Reads an LMDB file (format 1, as LMDB 0.9 writes it) without mapping it, and says whether LMDB
// can be let near it.
#pragma once

#include <cstdint>
#include <string>

namespace layerkey::detail {

struct lmdb_structure {
  std::string fault;   // empty: none
  bool empty = false;  // the file has no bytes: LMDB makes a new one of it
  std::uint64_t transaction = 0;
  std::uint64_t page_size = 0;
  std::uint64_t pages = 0;       // up to the last one that was ever used
  std::uint64_t tree_pages = 0;  // of branches and leaves
  std::uint64_t large_pages = 0;
  std::uint64_t free_pages = 0;
  std::uint64_t records = 0;

  bool right() const { return fault.empty(); }
};

// The two first pages only: which state it is in.
lmdb_structure lmdb_read_meta(int file);

// And the tree of free pages, which each write goes through.
lmdb_structure lmdb_check_free(int file);

// One page of the tree of entries: what is wrong with it in itself.
std::string lmdb_check_page(int file, std::uint64_t page_size, std::uint64_t page, bool leaf);

// Every page that LMDB would go through: what it is and where it is, that nothing in it leads
// outside, that no page has two uses, that keys are in order, that all is as many as it is said to
// be. Large values are looked at for where they lie only. Nobody may write meanwhile.
lmdb_structure lmdb_check_structure(int file);

}  // namespace layerkey::detail

#include <layerkey/store/detail/lmdb_structure.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace layerkey::detail {
namespace {

constexpr std::size_t lmdb_page_header = 16;
constexpr std::size_t lmdb_node_header = 8;
constexpr std::size_t lmdb_greatest_key = 511;
constexpr std::uint64_t lmdb_no_page = ~std::uint64_t{0};
constexpr unsigned lmdb_deepest = 30;  // LMDB's own cursors hold 32

enum : unsigned { lmdb_is_branch = 1, lmdb_is_leaf = 2, lmdb_is_meta = 8 };

struct lmdb_tree {
  std::uint32_t pad;
  std::uint16_t flags;
  std::uint16_t depth;
  std::uint64_t branch_pages;
  std::uint64_t leaf_pages;
  std::uint64_t overflow_pages;
  std::uint64_t entries;
  std::uint64_t root;
};
static_assert(sizeof(lmdb_tree) == 48);

struct lmdb_meta {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t address;
  std::uint64_t map_size;
  lmdb_tree free;
  lmdb_tree main;
  std::uint64_t last_page;
  std::uint64_t transaction;
};
static_assert(sizeof(lmdb_meta) == 136);

template<class T>
T lmdb_at(char const* from) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// All of it or nothing.
bool lmdb_read_at(int file, char* to, std::size_t size, std::uint64_t from) {
  while (size != 0) {
    ssize_t const got = ::pread(file, to, size, static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
    from += static_cast<std::uint64_t>(got);
  }
  return true;
}

class lmdb_structure_reader {
 public:
  explicit lmdb_structure_reader(int file) : file_(file) {}

  enum class extent : unsigned char { meta, free, all };

  lmdb_structure read(extent what) {
    if (read_meta() && what != extent::meta) read_trees(what == extent::all);
    return std::move(out_);
  }

  std::string check_page(std::uint64_t page_size, std::uint64_t number, bool leaf) {
    page_size_ = page_size;
    pages_.resize(1);
    (void)load_page(number, pages_[0], leaf, false);
    return std::move(out_.fault);
  }

 private:
  bool fail(std::string_view what, std::uint64_t page = lmdb_no_page) {
    if (out_.fault.empty()) {
      out_.fault = what;
      if (page != lmdb_no_page) out_.fault += ", page " + std::to_string(page);
    }
    return false;
  }

  bool read_meta() {
    struct stat file = {};
    if (::fstat(file_, &file) != 0 || !S_ISREG(file.st_mode)) return fail("it is not a file");
    size_ = static_cast<std::uint64_t>(file.st_size);
    if (size_ == 0) {
      out_.empty = true;
      return false;
    }
    std::array<char, lmdb_page_header + sizeof(lmdb_meta)> bytes;
    lmdb_meta metas[2];
    for (unsigned i : {0u, 1u}) {
      if (!lmdb_read_at(file_, bytes.data(), bytes.size(), i * page_size_))
        return fail("it is too short, or cannot be read");
      metas[i] = lmdb_at<lmdb_meta>(bytes.data() + lmdb_page_header);
      lmdb_meta const& m = metas[i];
      if (lmdb_at<std::uint16_t>(bytes.data() + 10) != lmdb_is_meta || m.magic != 0xBEEFC0DE)
        return fail("it is no LMDB file");
      if (m.version != 1) return fail("another version of LMDB wrote it");
      // Where the sizes of pages lie in the record of the free pages.
      std::uint64_t const page_size = m.free.pad;
      if (page_size < 512 || page_size > 32'768 || (page_size & (page_size - 1)) != 0)
        return fail("its size of pages is none");
      if (i == 0) page_size_ = page_size;
      if (page_size != page_size_) return fail("it has two sizes of pages");
      if (lmdb_at<std::uint64_t>(bytes.data()) != i) return fail("its first pages are misplaced");
      // Integer keys in the list of free pages, and perhaps that the file is no folder.
      if ((m.free.flags & ~0x4000) != 8 || m.main.flags != 0 || m.address != 0)
        return fail("it was made with other flags");
    }
    unsigned const newest = metas[1].transaction > metas[0].transaction ? 1 : 0;
    meta_ = metas[newest];
    // LMDB goes by the number of a transaction, not by which page has the greater one.
    if (meta_.transaction != 0 && (meta_.transaction & 1) != newest)
      return fail("its newest state is misplaced");
    if (meta_.last_page < 1 || meta_.last_page >= lmdb_no_page / 65'536)
      return fail("its number of pages is none");
    out_.transaction = meta_.transaction;
    out_.page_size = page_size_;
    out_.pages = meta_.last_page + 1;
    return true;
  }

  void read_trees(bool all) {
    std::uint64_t const least = size_ / page_size_;
    // Pages at the end that were never written are not in the file, but those are few.
    if (meta_.last_page > least + 65'536 + least / 4) {
      fail("it was cut");
      return;
    }
    used_.assign(static_cast<std::size_t>(meta_.last_page / 64 + 1), 0);
    used_[0] = 3;
    pages_.resize(lmdb_deepest + 1);
    if (!read_tree(meta_.free, true)) return;
    if (!all || !read_tree(meta_.main, false)) return;
    out_.records = meta_.main.entries;
  }

  bool claim(std::uint64_t page, std::uint64_t how_many, std::uint64_t of) {
    if (page < 2 || page > meta_.last_page || how_many > meta_.last_page + 1 - page)
      return fail("it leads to a page that is not there", of);
    for (; how_many != 0; --how_many, ++page) {
      std::uint64_t& word = used_[static_cast<std::size_t>(page / 64)];
      std::uint64_t const bit = std::uint64_t{1} << (page % 64);
      if (word & bit) return fail("it uses a page twice", page);
      word |= bit;
    }
    return true;
  }

  bool read_tree(lmdb_tree const& tree, bool free) {
    if (tree.root == lmdb_no_page) {
      if (tree.entries != 0 || tree.depth != 0 || tree.branch_pages != 0 || tree.leaf_pages != 0 ||
          tree.overflow_pages != 0)
        return fail("a tree has entries and no root");
      return true;
    }
    if (tree.depth == 0 || tree.depth > lmdb_deepest) return fail("the depth of a tree is none");
    found_ = {};
    floor_.clear();
    floor_given_ = floor_itself_ = false;
    if (!read_page(tree.root, 1, tree.depth, free)) return false;
    if (found_.branch_pages != tree.branch_pages || found_.leaf_pages != tree.leaf_pages ||
        found_.overflow_pages != tree.overflow_pages || found_.entries != tree.entries)
      return fail("a tree has more or less than it says");
    out_.tree_pages += found_.branch_pages + found_.leaf_pages;
    out_.large_pages += found_.overflow_pages;
    return true;
  }

  // What is in a page can be used then.
  bool load_page(std::uint64_t number, std::vector<char>& bytes, bool leaf, bool free) {
    bytes.resize(page_size_);
    char const* const page = bytes.data();
    if (!lmdb_read_at(file_, bytes.data(), page_size_, number * page_size_))
      return fail("it was cut, or a page cannot be read", number);
    if (lmdb_at<std::uint64_t>(page) != number) return fail("a page is not what it was", number);
    if (lmdb_at<std::uint16_t>(page + 10) != (leaf ? lmdb_is_leaf : lmdb_is_branch))
      return fail("a page is of another kind", number);
    std::size_t const lower = lmdb_at<std::uint16_t>(page + 12);
    std::size_t const upper = lmdb_at<std::uint16_t>(page + 14);
    if (lower < lmdb_page_header || lower % 2 != 0 || lower > upper || upper > page_size_)
      return fail("a page has no bounds", number);
    std::size_t const nodes = (lower - lmdb_page_header) / 2;
    if (nodes < (leaf || free ? 1u : 2u)) return fail("a page is empty", number);
    return lie_apart(page, nodes, upper, leaf) || fail("entries of a page overlap", number);
  }

  bool read_page(std::uint64_t number, unsigned level, unsigned depth, bool free) {
    if (!claim(number, 1, number)) return false;
    bool const leaf = level == depth;
    if (!load_page(number, pages_[level], leaf, free)) return false;
    char const* const page = pages_[level].data();
    std::size_t const nodes = (lmdb_at<std::uint16_t>(page + 12) - lmdb_page_header) / 2;
    (leaf ? found_.leaf_pages : found_.branch_pages) += 1;
    for (std::size_t i = 0; i != nodes; ++i) {
      char const* const node = page + lmdb_at<std::uint16_t>(page + lmdb_page_header + 2 * i);
      std::string_view const key(node + lmdb_node_header, lmdb_at<std::uint16_t>(node + 6));
      if (!leaf) {
        if (i != 0 && !in_order(key, true, free)) return fail("keys are not in order", number);
        std::uint64_t const child = lmdb_at<std::uint16_t>(node) |
                                    std::uint64_t{lmdb_at<std::uint16_t>(node + 2)} << 16 |
                                    std::uint64_t{lmdb_at<std::uint16_t>(node + 4)} << 32;
        if (!read_page(child, level + 1, depth, free)) return false;
        continue;
      }
      if (!in_order(key, false, free)) return fail("keys are not in order", number);
      found_.entries += 1;
      if (!read_value(node, key, number, free)) return false;
    }
    return true;
  }

  // Each in its place, with nothing between them: that is what LMDB relies on when it moves them.
  bool lie_apart(char const* page, std::size_t nodes, std::size_t upper, bool leaf) {
    extents_.clear();
    for (std::size_t i = 0; i != nodes; ++i) {
      std::size_t const at = lmdb_at<std::uint16_t>(page + lmdb_page_header + 2 * i);
      if (at < upper || at % 2 != 0 || at + lmdb_node_header > page_size_) return false;
      char const* const node = page + at;
      std::size_t const key = lmdb_at<std::uint16_t>(node + 6);
      unsigned const flags = lmdb_at<std::uint16_t>(node + 4);
      std::size_t size = lmdb_node_header + key;
      if (leaf) {
        // Large, and no others: there are no trees in trees here.
        if (flags > 1) return false;
        size += flags == 1 ? 8
                           : lmdb_at<std::uint16_t>(node) |
                                 static_cast<std::size_t>(lmdb_at<std::uint16_t>(node + 2)) << 16;
      }
      if (key > lmdb_greatest_key || (leaf && key == 0)) return false;
      // What is greater is kept in pages of its own.
      if (size > (((page_size_ - lmdb_page_header) / 2) & ~std::size_t{1}) - 2) return false;
      size += size % 2;
      if (at + size > page_size_) return false;
      extents_.emplace_back(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(size));
    }
    std::sort(extents_.begin(), extents_.end());
    std::size_t expected = upper;
    for (auto const& [at, size] : extents_) {
      if (at != expected) return false;
      expected += size;
    }
    return expected == page_size_;
  }

  // `itself`: the key may be the next one, too, as those in branches are.
  bool in_order(std::string_view key, bool itself, bool free) {
    std::array<char, 8> number;
    if (free) {
      if (key.size() != 8) return false;
      std::reverse_copy(key.begin(), key.end(), number.begin());
      key = std::string_view(number.data(), 8);
    }
    if (floor_given_) {
      int const order = std::string_view(floor_).compare(key);
      if (order > 0 || (order == 0 && !floor_itself_)) return false;
    }
    floor_.assign(key);
    floor_given_ = true;
    floor_itself_ = itself;
    return true;
  }

  bool read_value(char const* node, std::string_view key, std::uint64_t page, bool free) {
    std::uint64_t const size =
        lmdb_at<std::uint16_t>(node) | std::uint64_t{lmdb_at<std::uint16_t>(node + 2)} << 16;
    bool const large = lmdb_at<std::uint16_t>(node + 4) == 1;
    char const* value = key.data() + key.size();
    std::uint64_t first = 0;
    if (large) {
      first = lmdb_at<std::uint64_t>(value);
      std::uint64_t const pages = (lmdb_page_header - 1 + size) / page_size_ + 1;
      if (!claim(first, pages, page)) return false;
      if ((first + pages) * page_size_ > size_) return fail("it was cut in a large value", first);
      found_.overflow_pages += pages;
    }
    if (!free) return true;
    if (size < 8 || size % 8 != 0) return fail("a list of free pages has no length", page);
    free_.resize(static_cast<std::size_t>(size / 8));
    if (large) {
      if (!lmdb_read_at(file_, reinterpret_cast<char*>(free_.data()),
                        static_cast<std::size_t>(size), first * page_size_ + lmdb_page_header))
        return fail("a list of free pages cannot be read", first);
    } else {
      std::memcpy(free_.data(), value, static_cast<std::size_t>(size));
    }
    if (free_[0] >= free_.size()) return fail("a list of free pages is too long", page);
    for (std::size_t i = 1; i <= free_[0]; ++i) {
      if (i > 1 && free_[i] >= free_[i - 1]) return fail("free pages are not in order", page);
      if (!claim(free_[i], 1, page)) return false;
    }
    out_.free_pages += free_[0];
    return true;
  }

  int file_;
  std::uint64_t size_ = 0;
  std::uint64_t page_size_ = 0;
  lmdb_meta meta_ = {};
  lmdb_structure out_;
  std::vector<std::uint64_t> used_;
  std::vector<std::vector<char>> pages_;  // one a level
  std::vector<std::pair<std::uint32_t, std::uint32_t>> extents_;
  std::vector<std::uint64_t> free_;
  lmdb_tree found_ = {};
  std::string floor_;
  bool floor_given_ = false;
  bool floor_itself_ = false;
};

}  // namespace

lmdb_structure lmdb_read_meta(int file) {
  return lmdb_structure_reader(file).read(lmdb_structure_reader::extent::meta);
}

lmdb_structure lmdb_check_free(int file) {
  return lmdb_structure_reader(file).read(lmdb_structure_reader::extent::free);
}

lmdb_structure lmdb_check_structure(int file) {
  return lmdb_structure_reader(file).read(lmdb_structure_reader::extent::all);
}

std::string lmdb_check_page(int file, std::uint64_t page_size, std::uint64_t page, bool leaf) {
  return lmdb_structure_reader(file).check_page(page_size, page, leaf);
}

}  // namespace layerkey::detail

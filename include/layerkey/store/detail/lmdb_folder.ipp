#include <layerkey/store/detail/lmdb_folder.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <system_error>

namespace layerkey {

std::string default_cache_folder(std::string_view name) {
  std::string base;
  // A relative one is to be ignored, says the specification.
  if (char const* const xdg = std::getenv("XDG_CACHE_HOME"); xdg && xdg[0] == '/') {
    base = xdg;
  } else {
    char const* home = std::getenv("HOME");
    std::vector<char> space(16'384);
    passwd entry = {};
    passwd* found = nullptr;
    if (!home || home[0] != '/') {
      ::getpwuid_r(::geteuid(), &entry, space.data(), space.size(), &found);
      home = found ? found->pw_dir : nullptr;
    }
    if (!home || home[0] != '/') return {};
    base = std::string(home) + "/.cache";
  }
  return base + "/" + std::string(name);
}

namespace detail {
namespace {

bool lmdb_ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// entries-0123456789abcdef.mdb
bool lmdb_is_file_name(std::string_view name) {
  if (name.size() != 28 || name.substr(0, 8) != "entries-" || name.substr(24) != ".mdb")
    return false;
  return name.substr(8, 16).find_first_not_of("0123456789abcdef") == name.npos;
}

std::vector<std::string> lmdb_names_in(std::string const& folder) {
  std::vector<std::string> names;
  DIR* const open = ::opendir(folder.c_str());
  if (!open) return names;
  while (dirent const* const entry = ::readdir(open))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  ::closedir(open);
  std::sort(names.begin(), names.end());
  return names;
}

mode_t lmdb_folder_mode(lmdb_sharing sharing) {
  return sharing == lmdb_sharing::private_to_user ? 0700
         : sharing == lmdb_sharing::group         ? 02770
                                                  : 01777;
}

// What others must not be able to do.
mode_t lmdb_forbidden(lmdb_sharing sharing) {
  return sharing == lmdb_sharing::private_to_user ? 0022
         : sharing == lmdb_sharing::group         ? 0002
                                                  : 0;
}

bool lmdb_make_folder(std::string const& path, lmdb_sharing sharing) {
  if (::mkdir(path.c_str(), lmdb_folder_mode(sharing) & 0777) != 0) return errno == EEXIST;
  if (sharing != lmdb_sharing::private_to_user)
    (void)::chmod(path.c_str(), lmdb_folder_mode(sharing));
  return true;
}

// With those that it is in.
bool lmdb_make_folders(std::string const& path, lmdb_sharing sharing) {
  for (std::size_t end = path.find('/', 1); end != path.npos; end = path.find('/', end + 1))
    if (!lmdb_make_folder(path.substr(0, end), lmdb_sharing::private_to_user) && errno != EACCES)
      return false;
  return lmdb_make_folder(path, sharing);
}

std::string lmdb_untrusted(struct stat const& is, lmdb_sharing sharing) {
  if (sharing == lmdb_sharing::private_to_user && is.st_uid != ::geteuid() && is.st_uid != 0)
    return "belongs to another user (" + std::to_string(is.st_uid) +
           "), who could put anything there; use a folder of your own, or share it explicitly and "
           "with a secret";
  if (is.st_mode & lmdb_forbidden(sharing))
    return "may be written by others, who could put anything there; take that right from them "
           "(chmod go-w), or share it explicitly and with a secret";
  return {};
}

}  // namespace

std::string lmdb_error_text(int error) {
  return std::error_code(error, std::generic_category()).message();
}

char const* lmdb_network_file_system(unsigned long type) {
  switch (type & 0xFFFFFFFFul) {
    case 0x6969:
      return "NFS";
    case 0x517B:
      return "SMB";
    case 0xFF534D42:
      return "CIFS";
    case 0xFE534D42:
      return "SMB2";
    case 0x564C:
      return "NCP";
    case 0x5346414F:
    case 0x6B414653:
      return "AFS";
    case 0x73757245:
      return "Coda";
    case 0x01021997:
      return "9p";
    case 0x65735546:
      return "FUSE";
    case 0x00C36400:
      return "Ceph";
    case 0x0BD00BD0:
      return "Lustre";
    case 0x47504653:
      return "GPFS";
    case 0x7461636F:
      return "OCFS2";
    case 0x01161970:
      return "GFS2";
    case 0x19830326:
      return "BeeGFS";
    case 0xAAD7AAEA:
      return "PanFS";
    case 0x786F4256:
      return "vboxsf";
    case 0xBACBACBC:
      return "VMware's shared folders";
    default:
      return nullptr;
  }
}

std::string lmdb_prepare_folder(std::string const& folder, lmdb_file_options const& options,
                                bool may_make) {
  if (folder.empty()) return "no folder was given";
  struct stat link = {};
  if (::lstat(folder.c_str(), &link) != 0) {
    if (errno != ENOENT || !may_make) return folder + " cannot be used: " + lmdb_error_text(errno);
    if (!lmdb_make_folders(folder, options.sharing))
      return folder + " cannot be made: " + lmdb_error_text(errno) +
             "; make it, or choose another folder";
  }
  int const open = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (open < 0)
    return folder + " cannot be used as a folder: " + lmdb_error_text(errno) +
           "; choose another one";
  struct stat is = {};
  struct statfs system = {};
  bool const known = ::fstat(open, &is) == 0 && ::fstatfs(open, &system) == 0;
  ::close(open);
  if (!known) return folder + " cannot be used: " + lmdb_error_text(errno);
  if (S_ISLNK(link.st_mode) && options.sharing == lmdb_sharing::private_to_user &&
      link.st_uid != ::geteuid() && link.st_uid != 0)
    return folder + " is a symbolic link that another user (" + std::to_string(link.st_uid) +
           ") made; use the folder itself, or one of your own";
  if (std::string why = lmdb_untrusted(is, options.sharing); !why.empty())
    return folder + " " + why;
  char const* const network = lmdb_network_file_system(static_cast<unsigned long>(system.f_type));
  if (network && !options.any_file_system)
    return folder + " lies on a file system (" + network +
           ") that may be on a network, where processes do not see each other's maps and locks; "
           "use a folder on a local disk, and a Redis server to share entries";
  return {};
}

mode_t lmdb_file_mode(lmdb_sharing sharing) {
  return sharing == lmdb_sharing::private_to_user ? 0600
         : sharing == lmdb_sharing::group         ? 0660
                                                  : 0666;
}

std::string lmdb_foreign(int file, lmdb_sharing sharing) {
  struct stat is = {};
  if (::fstat(file, &is) != 0) return "cannot be used: " + lmdb_error_text(errno);
  if (!S_ISREG(is.st_mode)) return "is no file";
  return lmdb_untrusted(is, sharing);
}

std::string lmdb_find_file(std::string const& folder, bool tidy) {
  std::vector<std::string> const names = lmdb_names_in(folder);
  std::string found;
  for (std::string const& name : names)
    if (lmdb_is_file_name(name)) found = name;
  if (!tidy) return found;
  for (std::string const& name : names) {
    bool const lock = name.size() == 33 && lmdb_ends_with(name, "-lock") &&
                      lmdb_is_file_name(std::string_view(name).substr(0, 28));
    bool const begun = name.size() > 28 &&
                       lmdb_is_file_name(std::string_view(name).substr(0, 28)) &&
                       (lmdb_ends_with(name, ".new") || lmdb_ends_with(name, ".new-lock"));
    bool const other = lmdb_is_file_name(name) && name != found;
    if (begun || other || (lock && name.compare(0, 28, found) != 0))
      (void)::unlink((folder + "/" + name).c_str());
  }
  return found;
}

std::string lmdb_new_file(std::string const& folder) {
  unsigned long long id = 0;
  if (::getrandom(&id, sizeof id, GRND_NONBLOCK) != sizeof id) {
    timespec now = {};
    ::clock_gettime(CLOCK_REALTIME, &now);
    id = static_cast<unsigned long long>(now.tv_sec) * 1'000'000'007u +
         static_cast<unsigned long long>(now.tv_nsec) * 4'097u +
         static_cast<unsigned long long>(::getpid());
  }
  char name[40];
  std::snprintf(name, sizeof name, "entries-%016llx.mdb", id);
  return folder + "/" + name;
}

bool lmdb_set_aside(std::string const& folder, std::string const& path) {
  unsigned long greatest = 0;
  std::vector<std::pair<unsigned long, std::string>> broken;
  for (std::string const& name : lmdb_names_in(folder)) {
    std::size_t const at = name.find(".broken-");
    if (at == name.npos || name.compare(0, 8, "entries-") != 0) continue;
    unsigned long const number = std::strtoul(name.c_str() + at + 8, nullptr, 10);
    greatest = std::max(greatest, number);
    broken.emplace_back(number, folder + "/" + name);
  }
  std::sort(broken.begin(), broken.end());
  for (std::size_t i = 0; i + 1 < broken.size(); ++i) (void)::unlink(broken[i].second.c_str());
  (void)::unlink((path + "-lock").c_str());
  std::string const to = path + ".broken-" + std::to_string(greatest + 1);
  return ::rename(path.c_str(), to.c_str()) == 0 || ::unlink(path.c_str()) == 0;
}

}  // namespace detail
}  // namespace layerkey

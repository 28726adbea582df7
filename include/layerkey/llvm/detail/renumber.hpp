// PTX holds numbers that LLVM takes from a counter of the process. No LLVM header here.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace layerkey::llvm_detail {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool in_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         c == '%';
}

// Calls `each(number, begin, end)` for every number N that stands as `// callseq N` or
// `prototype_N`.
template<class Each>
void each_call_number(std::string_view ptx, Each each) {
  for (std::string_view const before :
       {std::string_view("// callseq "), std::string_view("prototype_")}) {
    bool const is_label = before.back() == '_';
    for (std::size_t at = ptx.find(before); at != ptx.npos; at = ptx.find(before, at + 1)) {
      std::size_t const begin = at + before.size();
      std::size_t end = begin;
      while (end != ptx.size() && is_digit(ptx[end])) ++end;
      if (end == begin) continue;
      if (is_label &&
          ((at != 0 && in_name(ptx[at - 1])) || (end != ptx.size() && in_name(ptx[end]))))
        continue;
      each(std::string(ptx.substr(begin, end - begin)), begin, end, is_label);
    }
  }
}

// Numbers the calls of a PTX text from 0, in the order in which they appear. A `prototype_N` that
// no call declared is a name of the program and stays.
inline std::string renumbered(std::string_view ptx) {
  struct place {
    std::string number;
    std::size_t end;
    bool is_label;
  };
  std::map<std::size_t, place> places;
  std::map<std::string, bool> calls;  // the numbers of calls, and whether one declared a prototype
  each_call_number(ptx, [&](std::string number, std::size_t begin, std::size_t end, bool is_label) {
    bool const declares = is_label && ptx.substr(end).starts_with(" : .callprototype");
    if (!is_label || declares) calls[number] |= declares;
    places.emplace(begin, place{std::move(number), end, is_label});
  });

  std::map<std::string, std::size_t> order;
  std::string text;
  text.reserve(ptx.size());
  std::size_t done = 0;
  for (auto const& [begin, p] : places) {
    auto const call = calls.find(p.number);
    if (call == calls.end() || (p.is_label && !call->second)) continue;
    std::size_t const index = order.emplace(p.number, order.size()).first->second;
    text.append(ptx, done, begin - done).append(std::to_string(index));
    done = p.end;
  }
  return text.append(ptx, done);
}

}  // namespace layerkey::llvm_detail

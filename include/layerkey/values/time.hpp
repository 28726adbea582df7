// Durations and points in time in keys: the count, in the unit of their type.
#pragma once

#include <layerkey/value.hpp>

#include <chrono>

namespace layerkey {

template<detail::word_like Count, class Period>
struct value<std::chrono::duration<Count, Period>> {
  static constexpr text kind = "duration";
  using form = forms::all<Count>;
  static constexpr std::uint64_t extents[] = {Period::num, Period::den};  // seconds a tick
  static constexpr std::size_t atoms = 1;
  static constexpr void shape(detail::shape_writer& to) { value<Count>::shape(to); }

  template<class Sink>
  static constexpr void write(Sink& sink, std::chrono::duration<Count, Period> v) {
    value<Count>::write(sink, v.count());
  }
  template<class Source>
  static constexpr std::chrono::duration<Count, Period> read(Source& from) {
    return std::chrono::duration<Count, Period>(value<Count>::read(from));
  }

  template<class Printer>
  static void print(Printer& to, std::chrono::duration<Count, Period> v) {
    to.value(v.count());
    if constexpr (Period::num != 1 || Period::den != 1) {
      to.text(" x ");
      to.value(Period::num);
      to.text("/");
      to.value(Period::den);
    }
    to.text(" s");
  }
};

template<class Clock, detail::keyable Duration>
struct value<std::chrono::time_point<Clock, Duration>> {
  static constexpr text kind = "time_point";
  using form = forms::all<Duration>;
  static constexpr std::size_t atoms = 1;
  static constexpr void shape(detail::shape_writer& to) { value<Duration>::shape(to); }

  template<class Sink>
  static constexpr void write(Sink& sink, std::chrono::time_point<Clock, Duration> v) {
    value<Duration>::write(sink, v.time_since_epoch());
  }
  template<class Source>
  static constexpr std::chrono::time_point<Clock, Duration> read(Source& from) {
    return std::chrono::time_point<Clock, Duration>(value<Duration>::read(from));
  }

  template<class Printer>
  static void print(Printer& to, std::chrono::time_point<Clock, Duration> v) {
    to.value(v.time_since_epoch());
  }
};

}  // namespace layerkey

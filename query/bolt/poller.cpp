#include "query/bolt/poller.hpp"

namespace cairn::query::bolt {
namespace {

epoll_event event_of(std::uint64_t number, std::uint32_t events) noexcept {
  epoll_event event{};
  event.events = events;
  event.data.u64 = number;
  return event;
}

}  // namespace

bool Poller::add(int descriptor, std::uint64_t number, std::uint32_t events) const noexcept {
  epoll_event event = event_of(number, events);
  return ::epoll_ctl(epoll_.value(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

bool Poller::change(int descriptor, std::uint64_t number, std::uint32_t events) const noexcept {
  epoll_event event = event_of(number, events);
  return ::epoll_ctl(epoll_.value(), EPOLL_CTL_MOD, descriptor, &event) == 0;
}

void Poller::remove(int descriptor) const noexcept {
  static_cast<void>(::epoll_ctl(epoll_.value(), EPOLL_CTL_DEL, descriptor, nullptr));
}

std::span<const epoll_event> Poller::wait(std::span<epoll_event> room,
                                          int milliseconds) const noexcept {
  const int count =
      ::epoll_wait(epoll_.value(), room.data(), static_cast<int>(room.size()), milliseconds);
  return room.first(count > 0 ? static_cast<std::size_t>(count) : 0);
}

}  // namespace cairn::query::bolt

// The public handle BoltListener; the work is in BoltListener::Impl.
#include "query/bolt/listener_impl.hpp"

#include <utility>

namespace cairn {

BoltListener::BoltListener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BoltListener::BoltListener(BoltListener&&) noexcept = default;

BoltListener& BoltListener::operator=(BoltListener&& other) noexcept {
  if (this == &other) return *this;
  Impl::let_go(std::move(impl_));
  impl_ = std::move(other.impl_);
  return *this;
}

BoltListener::~BoltListener() { Impl::let_go(std::move(impl_)); }

Result<BoltListener> BoltListener::open(Database& database, const BoltAddress& address,
                                        const BoltOptions& options) {
  CAIRN_ASSIGN(auto impl, Impl::open(database, address, options));
  return BoltListener(std::move(impl));
}

const BoltAddress& BoltListener::address() const noexcept { return impl_->address(); }

std::size_t BoltListener::connections() const { return impl_->connections(); }

void BoltListener::close() {
  if (impl_ != nullptr) impl_->close();
}

}  // namespace cairn

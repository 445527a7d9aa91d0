#include "engine/home/home_watch.hpp"

#include "engine/home/home_address.hpp"
#include "engine/home/home_names.hpp"

#include <utility>

namespace cairn::engine {

Result<HomeWatch> HomeWatch::open(std::string_view address) {
  const HomeAddress parts = HomeAddress::parse(address);
  CAIRN_ASSIGN(auto store, open_object_store(parts.store));
  CAIRN_ASSIGN(const std::string root, home_name::root(parts.tenant));
  return HomeWatch(std::move(store), root + home_name::head);
}

// After a deletion or an error, the next call reads the complete head.
Result<std::optional<codec::HomeHead>> HomeWatch::look() {
  auto object = tag_.empty() ? store_->get(name_) : store_->get_if_changed(name_, tag_);
  if (object && !*object && !tag_.empty()) return head_;
  tag_.clear();
  head_.reset();
  if (!object && object.error().code == ErrorCode::not_found) return head_;
  if (!object) return object.error();
  if (!*object) return head_;
  CAIRN_ASSIGN(head_, codec::decode_home_head((*object)->bytes));
  tag_ = (*object)->tag;
  return head_;
}

}  // namespace cairn::engine

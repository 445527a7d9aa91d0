#include "engine/home/home_address.hpp"

namespace cairn::engine {
namespace {

constexpr std::string_view node_mark = "?node=";

}  // namespace

HomeAddress HomeAddress::parse(std::string_view text) {
  HomeAddress address;
  const std::size_t tenant = text.find('#');
  if (tenant != std::string_view::npos) address.tenant = text.substr(tenant + 1);
  text = text.substr(0, tenant);
  const std::size_t node = text.find(node_mark);
  if (node != std::string_view::npos) address.node = text.substr(node + node_mark.size());
  address.store = text.substr(0, node);
  return address;
}

std::string HomeAddress::text() const {
  std::string text = store;
  if (!node.empty()) text.append(node_mark).append(node);
  if (!tenant.empty()) text.append("#").append(tenant);
  return text;
}

std::string tenant_of(std::string_view name_space) {
  return std::string(name_space.substr(0, name_space.find('/')));
}

}  // namespace cairn::engine

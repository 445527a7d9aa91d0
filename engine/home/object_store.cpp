// Opening an object store by its address, and probe(), which checks a store before a home trusts its conditional
// writes.
#include "engine/home/object_store.hpp"

#include "engine/crypto/secrets.hpp"

#include <array>
#include <string>

namespace cairn::engine {
namespace {

constexpr std::string_view directory_scheme = "dir:";
constexpr std::string_view s3_scheme = "s3://";

/// The error of a store whose answer to a request of the probe was wrong.
Error unusable(const ObjectStore& store, const std::string& fault) {
  return Error{
      ErrorCode::unsupported,
      "the object store " + store.place() + " " + fault +
          "; a home needs conditional writes and reads, range reads and current content: use "
          "a store that has them",
      {}};
}

/// Succeeds if the outcome is `wanted`.
Status expect(const ObjectStore& store, const WriteAnswer& answer, WriteOutcome wanted,
              const std::string& fault) {
  if (answer.outcome == wanted) return {};
  if (answer.outcome == WriteOutcome::unknown && answer.why) return *answer.why;
  return unusable(store, fault);
}

/// Checks all kinds of reads of an object that has the content "second".
Status probe_reads(ObjectStore& store, const std::string& name) {
  CAIRN_ASSIGN(const auto whole, store.get(name));
  if (!whole || whole->bytes != "second") return unusable(store, "returns old content");
  CAIRN_ASSIGN(const auto part, store.get_range(name, 1, 3));
  if (!part || *part != "eco") return unusable(store, "cannot read a range of an object");
  CAIRN_ASSIGN(const auto changed, store.get_if_changed(name, whole->tag));
  if (changed)
    return unusable(store, "ignores `If-None-Match` of a read: it sent an unchanged object");
  return {};
}

/// Runs all steps of probe() on one object.
Status probe_object(ObjectStore& store, const std::string& name) {
  const WriteAnswer made = store.create(name, "first");
  CAIRN_TRY(expect(store, made, WriteOutcome::done, "reports that an unused name exists"));
  CAIRN_TRY(expect(store, store.create(name, "again"), WriteOutcome::refused,
                   "ignores `If-None-Match: *`: it replaced an existing object"));
  WriteAnswer replaced = store.replace(name, "second", made.tag);
  if (replaced.outcome == WriteOutcome::refused && store.try_other_tags())
    replaced = store.replace(name, "second", made.tag);
  CAIRN_TRY(expect(store, replaced, WriteOutcome::done,
                   "refuses `If-Match` with the tag that the object has"));
  CAIRN_TRY(expect(store, store.replace(name, "third", made.tag), WriteOutcome::refused,
                   "ignores `If-Match`: it replaced an object although the tag was stale"));
  return probe_reads(store, name);
}

}  // namespace

Status probe(ObjectStore& store, const std::string& prefix) {
  CAIRN_ASSIGN(const std::string name, random_object_name(prefix));
  const Status result = probe_object(store, name);
  // If the erasure fails, it leaves an object of a few bytes.
  (void)store.erase(name);
  return result;
}

Result<std::string> random_object_name(const std::string& prefix) {
  std::array<unsigned char, 16> bytes{};
  CAIRN_TRY(fill_random(bytes));
  // The random part may begin with a dash. The letter before it ensures that the name does not.
  return prefix + "x" + base64url(bytes);
}

bool is_object_name(std::string_view name) noexcept {
  const auto is_letter = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.' || c == '/';
  };
  char before = '/';
  for (const char c : name) {
    if (!is_letter(c) || (before == '/' && (c == '/' || c == '.'))) return false;
    before = c;
  }
  return before != '/' && name.size() <= 512;
}

Status check_object_store_address(std::string_view text) {
  if (text.starts_with(directory_scheme) || text.starts_with(s3_scheme)) return {};
  return Error{
      ErrorCode::invalid_argument,
      "the home \"" + std::string(text) + "\" is neither `dir:PATH` nor `s3://BUCKET/PREFIX`",
      {}};
}

Result<std::unique_ptr<ObjectStore>> open_object_store(std::string_view text) {
  CAIRN_TRY(check_object_store_address(text));
  if (text.starts_with(s3_scheme)) return open_s3_store(text.substr(s3_scheme.size()));
  return open_directory_store(std::string(text.substr(directory_scheme.size())));
}

}  // namespace cairn::engine

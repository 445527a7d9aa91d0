#pragma once
// ObjectStore: the operations that a home needs from the store that holds it. Ownership of a home depends on
// conditional writes, so a write reports one of three outcomes. A caller must not confuse `refused` with `unknown`.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// What a store reports about a write.
enum class WriteOutcome : std::uint8_t {
  done,
  /// The condition did not hold; an earlier attempt of the same write may be the reason, so read the object.
  refused,
  unknown,  ///< the write may have happened, or may still happen later
};

/// The outcome of a write, with details.
struct WriteAnswer {
  WriteOutcome outcome = WriteOutcome::unknown;
  std::string tag{};  ///< the tag of the written object; set if create() or replace() is `done`
  /// Set if the outcome is `unknown`: busy if a retry may help, io_error if a person must act.
  std::optional<Error> why{};
};

/// An object as it was read.
struct StoredObject {
  std::string bytes;
  std::string tag;  ///< identifies this version of the object; see replace()
};

/// A store of named objects with conditional writes.
/// Names consist of letters, digits, `-`, `_`, `.` and `/`. No part between slashes is empty or begins with a dot.
/// A read sees the newest write of any client. Errors of reads: busy if the store does not answer, io_error if it
/// refuses the request. Threads: all calls from any thread.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  /// Creates an object. The outcome is `refused` if the name exists.
  [[nodiscard]] virtual WriteAnswer create(const std::string& name, std::string_view bytes) = 0;
  /// Replaces an object if it still has the tag `tag`. The outcome is `refused` if the tag differs or the object is
  /// missing.
  [[nodiscard]] virtual WriteAnswer replace(const std::string& name, std::string_view bytes,
                                            const std::string& tag) = 0;
  /// Erases an object. The outcome is `done` too if the object does not exist, and never `refused`.
  [[nodiscard]] virtual WriteAnswer erase(const std::string& name) = 0;

  /// Returns the object, or nullopt if it does not exist.
  [[nodiscard]] virtual Result<std::optional<StoredObject>> get(const std::string& name) = 0;
  /// Returns at most `count` bytes from the offset `first` on, or nullopt if the object does not exist. Precondition:
  /// the object has at least one byte there.
  [[nodiscard]] virtual Result<std::optional<std::string>> get_range(const std::string& name,
                                                                     std::uint64_t first,
                                                                     std::uint64_t count) = 0;
  /// Returns the object, or nullopt if it still has the tag `tag`. Errors: also not_found.
  [[nodiscard]] virtual Result<std::optional<StoredObject>> get_if_changed(
      const std::string& name, const std::string& tag) = 0;
  /// Returns the names that begin with `prefix`, in ascending order.
  [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& prefix) = 0;

  /// Switches to another spelling of tags in conditions, because stores differ in what they accept. Returns false if
  /// there is no other spelling. Only probe() calls it, before the store has other users.
  [[nodiscard]] virtual bool try_other_tags() { return false; }
  /// The address of the store, for messages.
  [[nodiscard]] virtual const std::string& place() const noexcept = 0;
};

/// Checks that the store respects conditions, because several products accept a condition and ignore it. Creates an
/// object under `prefix`, creates it again, replaces it, replaces it with the stale tag, reads a part of it, and
/// erases it.
/// Errors: unsupported, which names what the store did wrong; read errors.
[[nodiscard]] Status probe(ObjectStore& store, const std::string& prefix);

/// Returns `prefix` followed by a random part, a name that no object has. Errors: io_error if the system provides no
/// random bytes.
[[nodiscard]] Result<std::string> random_object_name(const std::string& prefix);
/// True if `name` is valid for an object.
[[nodiscard]] bool is_object_name(std::string_view name) noexcept;

/// Checks the form of an address. Creates nothing and sends no request.
[[nodiscard]] Status check_object_store_address(std::string_view text);

/// Opens the store with the address `text`: `dir:PATH` or `s3://BUCKET/PREFIX`.
/// Errors: as open_directory_store() and open_s3_store().
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_object_store(std::string_view text);

/// Opens a store in the directory `root`, for one machine and for tests. The first write creates the directory.
/// Each object is a file under `root` with the object's name, and its tag is a hash of its bytes. A write that is
/// `done` survives a power cut. Several processes of one machine may share the directory. On a network file system
/// this works only if hard links, locks and syncs behave as on a local file system.
/// Errors: invalid_argument for an empty path; io_error if the working directory is unknown.
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_directory_store(
    const std::filesystem::path& root);

/// Opens a store in an S3 bucket. `text` is `BUCKET/PREFIX`; read_s3_settings() finds the endpoint and the credentials.
/// Sends no request.
/// Errors: invalid_argument; unsupported if this library was built without libcurl.
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_s3_store(std::string_view text);

}  // namespace cairn::engine

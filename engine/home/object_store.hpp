#pragma once
// ObjectStore: what a home needs of the place where it lies. One conditional write decides every dispute there, so the
// outcomes of writes are three, and none of them may be taken for another.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

enum class WriteOutcome : std::uint8_t {
  done,
  refused,  ///< the condition does not hold. An earlier try of the same may have arrived: a look tells
  unknown,  ///< it may have happened, and may still happen later
};

struct WriteAnswer {
  WriteOutcome outcome = WriteOutcome::unknown;
  std::string tag{};  ///< of what is there now; of `done` by create() and replace()
  std::optional<Error>
      why{};  ///< of `unknown`: busy where it may pass, io_error where somebody has to look at it
};

struct StoredObject {
  std::string bytes;
  std::string tag;
};

/// Names are of letters, digits, `-`, `_`, `.` and `/`, and no part between slashes is empty or begins with a dot.
///
/// A read sees what was written last, by whomever. Errors of reads: busy where the store does not answer, io_error where
/// it refuses. Threads: all calls from any.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  /// Make an object. Refused where the name exists.
  [[nodiscard]] virtual WriteAnswer create(const std::string& name, std::string_view bytes) = 0;
  /// Exchange an object that has this tag still. Refused where it has another, or is not there.
  [[nodiscard]] virtual WriteAnswer replace(const std::string& name, std::string_view bytes,
                                            const std::string& tag) = 0;
  /// Done also where there is none. Never refused.
  [[nodiscard]] virtual WriteAnswer erase(const std::string& name) = 0;

  /// Absent is no error.
  [[nodiscard]] virtual Result<std::optional<StoredObject>> get(const std::string& name) = 0;
  /// The bytes from `first` on, at most `count` of them, of which at least one is there.
  [[nodiscard]] virtual Result<std::optional<std::string>> get_range(const std::string& name,
                                                                     std::uint64_t first,
                                                                     std::uint64_t count) = 0;
  /// Empty where the object still has the tag. Errors: also not_found.
  [[nodiscard]] virtual Result<std::optional<StoredObject>> get_if_changed(
      const std::string& name, const std::string& tag) = 0;
  /// The names that begin with `prefix`, ascending.
  [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& prefix) = 0;

  /// Write tags in another way from now on, if there is one: what a store's condition takes differs. For the probe, before
  /// anybody else uses the store.
  [[nodiscard]] virtual bool try_other_tags() { return false; }
  /// For messages: where it is.
  [[nodiscard]] virtual const std::string& place() const noexcept = 0;
};

/// Whether the store keeps its conditions, as several accept and ignore them: make an object, make it again, replace it,
/// replace it with the stale tag, read a part of it. All under `prefix`, and erased again.
/// Errors: unsupported, naming what the store did; as reads.
[[nodiscard]] Status probe(ObjectStore& store, const std::string& prefix);

/// A name behind `prefix` that nothing has. Errors: io_error, where the system gives no randomness.
[[nodiscard]] Result<std::string> random_object_name(const std::string& prefix);
/// Whether a name may be one of an object.
[[nodiscard]] bool is_object_name(std::string_view name) noexcept;

/// Whether `text` has the form of an address. Makes nothing and asks nobody.
[[nodiscard]] Status check_object_store_address(std::string_view text);

/// Opens the store with the address `text`: `dir:PATH` or `s3://BUCKET/PREFIX`.
/// Errors: those of open_directory_store() and open_s3_store().
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_object_store(std::string_view text);

/// Opens a store in the directory `root`, for one machine and for tests. Creates the directory if it is missing.
/// Each object is a file under `root` with the object's name, and its tag is a hash of its bytes. A write that is `done`
/// survives a power cut. Several processes of one machine may share the directory. A network file system works only if its
/// hard links, locks and syncs behave like those of a local file system.
/// Errors: invalid_argument for an empty path; io_error.
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_directory_store(
    const std::filesystem::path& root);

/// Opens a store in an S3 bucket. `text` is `BUCKET/PREFIX`; read_s3_settings() finds the endpoint and the credentials.
/// Sends no request.
/// Errors: invalid_argument; unsupported if this library was built without libcurl.
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_s3_store(std::string_view text);

}  // namespace cairn::engine

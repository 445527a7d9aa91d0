// Copies a state of a home to a directory as a separate database (restore), or to another home (fork). The steps:
//
// state        downloads the files of a checkpoint and applies the commits after it, like an opening of the home
// id           gives a fork its id and its position in the new home. Vector files have the old id, so they are erased and
//              built again
// opening      opens the copy as a database without a home, which completes the rest and shows that the copy is sound
// home         uploads the files of a fork to its home, and the head last
#include "codec/byte_io.hpp"
#include "codec/commit_note.hpp"
#include "engine/database/followed_state.hpp"
#include "engine/database/opening.hpp"
#include "engine/files/new_directory.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"

#include <cairn/home.hpp>
#include <cairn/options.hpp>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace cairn {
namespace engine {
namespace {

namespace fs = std::filesystem;

/// How long a follower retries a request. The time is short, because readers wait meanwhile and have their own time
/// limits.
constexpr std::chrono::milliseconds follower_patience{1'000};

/// A directory of the system's temporary files, which is erased at the end.
class ScratchDirectory {
 public:
  [[nodiscard]] static Result<ScratchDirectory> make() {
    std::error_code problem;
    std::string name = (fs::temp_directory_path(problem) / "cairn-fork-XXXXXX").string();
    if (!problem && ::mkdtemp(name.data()) == nullptr)
      problem = std::error_code(errno, std::generic_category());
    if (problem)
      return Error{ErrorCode::io_error,
                   "cannot make the temporary directory " + name + ": " + problem.message() +
                       "; set TMPDIR to a directory that can be written",
                   {}};
    return ScratchDirectory(std::move(name));
  }
  ScratchDirectory(ScratchDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const noexcept { return path_; }

 private:
  explicit ScratchDirectory(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

/// Gives the copy another id, and a place in the home of that id.
Status rename_copy(RocksStore& store, const std::string& new_id) {
  StoreBatch batch(store);
  MetaWriter(batch).put_database_id(new_id);
  CAIRN_TRY(store.write_local(batch, WriteMode::async));
  return store.apply({}, first_place);
}

/// A copy of a state, and its open store.
struct OpenCopy {
  std::unique_ptr<RocksStore> store{};
  HomeCopy copy{};
};

/// Downloads the state that look() found into an empty directory.
Result<OpenCopy> download_state(const fs::path& directory, Home& home,
                                const StoreOptions& settings) {
  std::vector<std::string> ignored;  // an older checkpoint gives the same state
  OpenCopy made;
  CAIRN_ASSIGN(made.store, open_copy(directory, settings, home, ignored));
  CAIRN_TRY(home.replay(*made.store));
  const MetaReader meta(*made.store);
  CAIRN_ASSIGN(made.copy.database_id, meta.database_id());
  CAIRN_ASSIGN(made.copy.commit, meta.commit());
  if (made.copy.database_id.empty())
    return Error{ErrorCode::not_found, "nothing was committed to the home " + home.address(), {}};
  if (made.copy.database_id != home.database_id())
    return codec::corruption("the home " + home.address() + " has the files of another database");
  return made;
}

/// Downloads the state, and gives it the id `new_id` unless that is empty. Afterwards the tables have every commit, and
/// all files are synced.
Result<HomeCopy> download_closed(const fs::path& directory, Home& home, const std::string& new_id) {
  CAIRN_ASSIGN(OpenCopy made, download_state(directory, home, {}));
  if (!new_id.empty()) {
    CAIRN_TRY(rename_copy(*made.store, new_id));
    made.copy.database_id = new_id;
  }
  CAIRN_TRY(made.store->flush());
  return std::move(made.copy);
}

/// Makes a database without a home of the state that look() found, in an empty directory.
Result<HomeCopy> copy_state(const fs::path& directory, Home& home, const std::string& new_id) {
  CAIRN_ASSIGN(const HomeCopy copy, download_closed(directory, home, new_id));
  std::error_code problem;
  if (!new_id.empty()) fs::remove_all(directory / metadata_file::vector_directory, problem);
  const codec::TailFile tail{copy.database_id, copy.commit, true, true};
  CAIRN_TRY(write_file(directory / metadata_file::tail, codec::encode(tail)));
  const codec::CommitFile commit{copy.database_id, copy.commit};
  CAIRN_TRY(write_file(directory / metadata_file::commit, codec::encode(commit)));
  return copy;
}

/// Opens a copy without background expiry, so that no record changes.
Result<std::shared_ptr<Core>> open_state(const fs::path& directory) {
  Options options;
  options.create_if_missing = false;
  options.expiry_interval = std::chrono::milliseconds(0);
  return Core::open(directory, options);
}

/// Finds the state, and calls `make` to copy it. Does both again if the owner erased objects of the state meanwhile. After
/// success `make` may have taken over the home.
template <class Make>
Result<HomeCopy> with_state(std::string_view address, const HomePoint& point, const Make& make,
                            std::chrono::milliseconds patience = home_patience) {
  constexpr int most_tries = 5;
  for (int i = 1;; ++i) {
    CAIRN_ASSIGN(auto home, Home::look(address, point, patience));
    auto made = make(home);
    if (made || made.error().code != ErrorCode::corruption || i == most_tries) return made;
    CAIRN_ASSIGN(const bool is_other, home->has_moved());
    if (!is_other) return made;
  }
}

/// Makes the directory `place` of the state that look() found.
Result<HomeCopy> restore_state(const FilePlace& place, Home& home) {
  HomeCopy copy;
  const auto fill = [&](const Directory& made) -> Status {
    CAIRN_ASSIGN(copy, copy_state(made.path(), home, ""));
    CAIRN_ASSIGN(const auto core, open_state(made.path()));
    return core->close();
  };
  CAIRN_TRY(make_new_directory(place, fill));
  return copy;
}

/// Publishes the state that look() found as the first one of `fork`.
Result<HomeCopy> fork_state(Home& fork, Home& home) {
  CAIRN_ASSIGN(const auto scratch, ScratchDirectory::make());
  CAIRN_ASSIGN(const HomeCopy copy, copy_state(scratch.path(), home, fork.database_id()));
  CAIRN_ASSIGN(const auto core, open_state(scratch.path()));
  CAIRN_TRY(core->begin_home(fork));
  return copy;
}

}  // namespace

Result<FollowedCopy> fetch_followed(std::string_view address, const fs::path& directory,
                                    const StoreOptions& settings) {
  FollowedCopy followed;
  const auto fetch = [&](std::unique_ptr<Home>& home) -> Result<HomeCopy> {
    followed = {};
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    CAIRN_TRY(make_directory(directory));
    CAIRN_ASSIGN(OpenCopy made, download_state(directory, *home, settings));
    const codec::CommitFile commit{made.copy.database_id, made.copy.commit};
    CAIRN_TRY(write_file(directory / metadata_file::commit, codec::encode(commit)));
    followed.store = std::move(made.store);
    followed.commit = made.copy.commit;
    followed.next = home->next_slot();
    followed.home = std::move(home);
    return std::move(made.copy);
  };
  CAIRN_TRY(with_state(address, {}, fetch, follower_patience));
  return followed;
}
}  // namespace engine

Result<HomeCopy> restore_home(std::string_view address, const std::filesystem::path& directory,
                              const HomePoint& point) {
  CAIRN_ASSIGN(const engine::FilePlace place, engine::FilePlace::of(directory));
  return engine::with_state(address, point,
                            [&](const auto& home) { return engine::restore_state(place, *home); });
}

Result<HomeCopy> fork_home(std::string_view address, std::string_view new_address,
                           const HomePoint& point) {
  CAIRN_ASSIGN(const auto fork, engine::Home::prepare(new_address, engine::draw_database_id()));
  return engine::with_state(address, point,
                            [&](const auto& home) { return engine::fork_state(*fork, *home); });
}

}  // namespace cairn

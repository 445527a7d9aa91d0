// Xapian with stems of every word. Groups are boolean terms, its usual way to filter. Exceptions of
// Xapian become errors here.
#include "tools/bench/compare_text.hpp"

#include <xapian.h>

#include <filesystem>

namespace cairn::tools {
namespace {

/// Calls `work` and converts the exceptions of Xapian to errors.
template <class Work>
auto guarded(Work&& work) -> Result<decltype(work())> {
  try {
    return work();
  } catch (const Xapian::Error& error) {
    return Error{ErrorCode::io_error, "Xapian: " + error.get_description(), std::nullopt};
  }
}

std::string group_term(std::uint64_t group) { return "XG" + std::to_string(group); }

class XapianEngine final : public TextEngine {
 public:
  XapianEngine(std::string directory, const Xapian::Stem& stem)
      : directory_(std::move(directory)), stem_(stem), writer_(directory_, Xapian::DB_CREATE) {
    generator_.set_stemmer(stem_);
    generator_.set_stemming_strategy(Xapian::TermGenerator::STEM_ALL);
  }

  std::string name() const override { return "Xapian"; }

  Status add(std::span<const std::string> texts, std::uint64_t first) override {
    CAIRN_TRY(guarded([&] {
      for (std::size_t i = 0; i < texts.size(); ++i) {
        Xapian::Document document;
        generator_.set_document(document);
        generator_.index_text(texts[i]);
        document.add_boolean_term(group_term((first + i) % text_groups));
        writer_.add_document(document);
      }
      writer_.commit();
      return true;
    }));
    return {};
  }

  /// Reads from disk with a new handle, as a later process would.
  Status reopen() override {
    CAIRN_TRY(guarded([&] {
      writer_.close();
      reader_ = Xapian::Database(directory_);
      return true;
    }));
    return {};
  }

  Result<std::uint64_t> index_bytes() override {
    std::uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      if (entry.is_regular_file()) bytes += entry.file_size();
    return bytes;
  }

  /// Stems terms directly instead of using Xapian's query parser, whose syntax the questions do not
  /// follow.
  Result<std::size_t> search(const TextQuestion& question) override {
    return guarded([&] {
      std::vector<std::string> terms;
      for (const std::string& word : question.words) terms.push_back(stem_(word));
      Xapian::Query query(question.needs_all ? Xapian::Query::OP_AND : Xapian::Query::OP_OR,
                          terms.begin(), terms.end());
      if (question.group)
        query = Xapian::Query(Xapian::Query::OP_FILTER, query,
                              Xapian::Query(group_term(*question.group)));
      Xapian::Enquire enquire(reader_);
      enquire.set_query(query);
      const Xapian::MSet best = enquire.get_mset(0, 10);
      std::size_t hits = 0;
      for (auto hit = best.begin(); hit != best.end(); ++hit) hits += *hit != 0 ? 1 : 0;
      return hits;
    });
  }

 private:
  std::string directory_;
  Xapian::Stem stem_;
  Xapian::TermGenerator generator_;
  Xapian::WritableDatabase writer_;
  Xapian::Database reader_;
};

}  // namespace

Result<std::unique_ptr<TextEngine>> make_xapian_engine(const std::string& directory,
                                                       const TextWorkload& workload) {
  return guarded([&] {
    const Xapian::Stem stem(workload.analyzer);
    return std::unique_ptr<TextEngine>(std::make_unique<XapianEngine>(directory, stem));
  });
}

}  // namespace cairn::tools

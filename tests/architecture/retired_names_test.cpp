// Names that the project gave up for those of its field, so that they do not come back: what an engineer searches for
// finds the code. Each of them was in the tree at commit 6b5712e.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct RetiredName {
  std::string_view name;
  std::string_view now;
};

// clang-format off
constexpr RetiredName retired_names[] = {
    {"IdSet", "Bitmap"},
    {"SignCodes", "BinaryCodes"},
    {"SignTables", "BinaryTables"},
    {"WordSigns", "WordBinaryCodes"},
    {"CodeTable", "Sq4Codes"},
    {"ByteCodes", "Sq8Codes"},
    {"ResidualCodes", "IvfCodes"},
    {"PartitionTable", "IvfIndex"},
    {"PartitionEffort", "ProbeBounds"},
    {"Outlook", "ProbePlan"},
    {"CodedTop", "QuantizedTopK"},
    {"TopCandidates", "TopKHeap"},
    {"GraphQuery", "BeamQuery"},
    {"SearchWay", "SearchStrategy"},
    {"Calibrations", "CostModels"},
    {"CalibrationInput", "CostModelInput"},
    {"Calibration", "CostModel"},
    {"RankMap", "DenseOrdinals"},
    {"RankSelection", "OrdinalSelection"},
    {"SlotMap", "InternalIds"},
    {"SlotSelection", "InternalIdSelection"},
    {"LiveSlots", "LiveIds"},
    {"SlotTombstones", "IdTombstones"},
    {"StateSearch", "BatchSearcher"},
    {"SegmentedState", "IndexSnapshot"},
    {"SegmentImage", "SerializedSegment"},
    {"VectorSet", "VectorIndexManager"},
    {"KeptPlans", "PlanCache"},
    {"SearchLegKind", "RetrieverKind"},
    {"LegKind", "RetrieverKind"},
    {"SearchLegs", "SearchRetrievers"},
    {"SearchLeg", "SearchRetriever"},
    {"LegInput", "RetrieverInput"},
    {"LegHits", "RetrieverHits"},
    {"IndexLegId", "IndexRetrieverId"},
    {"SingleLegId", "SingleRetrieverId"},
    {"GraphLegId", "GraphRetrieverId"},
    {"IndexLeg", "IndexRetriever"},
    {"LegArguments", "RetrieverArguments"},
    {"GraphLegSearch", "GraphRetriever"},
    {"LegMeter", "RetrieverProfile"},
    {"LegShare", "RetrieverShare"},
    {"LegId", "RetrieverId"},
    {"RecallLevers", "RecallFeatures"},
    {"RecallHit", "Hit"},
    {"ScoreExplanation", "Explanation"},
    {"Levers", "Features"},
    {"PostingOverlay", "PostingWriteSet"},
    {"Overlay", "WriteSet"},
    {"WriterTurn", "WriterLock"},
    {"InsideTurn", "InsideLock"},
    {"TermBooks", "TermDictionaries"},
    {"TermBook", "TermDictionary"},
    {"WordTable", "WordInterner"},
    {"TermTable", "TermInterner"},
    {"LeafMaker", "TermScorerBuilder"},
    {"TextLeaf", "TermScorer"},
    {"TopDocuments", "TopKDocuments"},
    {"TextFolds", "TextFlushes"},
    {"TextFold", "TextFlush"},
    {"TextLog", "TextMemorySegment"},
    {"TextWriting", "TextIndexingState"},
    {"ValueOrder", "SortedColumn"},
    {"IndexLookup", "IndexPredicate"},
    {"KeepMembers", "SemiJoinFilter"},
    {"FirstValues", "IndexTopN"},
    {"ExtremeValues", "IndexMinMax"},
    {"CountByValue", "IndexGroupCount"},
    {"WatchHits", "LateFilterWarning"},
    {"Likeness", "Similarity"},
    {"EntitySums", "EntityHashes"},
    {"SideThread", "WorkerThread"},
    {"RunTable", "Memtable"},
    {"SortedRuns", "MemtableRuns"},
    {"VectorRecall", "VectorAccuracy"},
    {"RecallClass", "AccuracyClass"},
    {"id_set", "bitmap"},
    {"sign_codes", "binary_codes"},
    {"sign_tables", "binary_tables"},
    {"word_signs", "word_binary_codes"},
    {"code_table", "sq4_codes"},
    {"byte_codes", "sq8_codes"},
    {"residual_codes", "ivf_codes"},
    {"partition_table", "ivf_index"},
    {"outlook", "probe_plan"},
    {"look_out", "plan_probes"},
    {"look_deep", "refine"},
    {"compare_best", "rescore_best"},
    {"top_candidates", "top_k_heap"},
    {"is_strange", "is_out_of_distribution"},
    {"graph_query", "beam_search"},
    {"graph_walk", "beam_search"},
    {"search_way", "search_strategy"},
    {"calibration_prices", "cost_measurement"},
    {"calibration", "cost_model"},
    {"with_regret", "with_cost_error"},
    {"print_regret", "print_cost_error"},
    {"is_sifted_by_bytes", "is_prefiltered_by_bytes"},
    {"is_sifted", "is_prefiltered"},
    {"rank_map", "dense_ordinals"},
    {"rank_selection", "ordinal_selection"},
    {"slot_map", "internal_ids"},
    {"slot_selection", "internal_id_selection"},
    {"live_slots", "live_ids"},
    {"state_search", "batch_searcher"},
    {"segment_image", "serialized_segment"},
    {"vector_set", "vector_index_manager"},
    {"kept_plans", "plan_cache"},
    {"posting_overlay", "posting_write_set"},
    {"overlay", "write_set"},
    {"writer_turn", "writer_lock"},
    {"term_book", "term_dictionary"},
    {"word_table", "word_interner"},
    {"term_table", "term_interner"},
    {"leaf_maker", "term_scorer_builder"},
    {"text_leaf", "term_scorer"},
    {"find_top_documents", "find_top_k_documents"},
    {"top_documents", "top_k_documents"},
    {"required_documents", "conjunction_scorer"},
    {"text_fold", "text_flush"},
    {"load_text_log", "load_text_memory_segments"},
    {"text_writing", "text_indexing_state"},
    {"value_order", "sorted_column"},
    {"path_order", "path_column"},
    {"keep_members", "semi_join_filter"},
    {"first_values", "index_top_n"},
    {"first_by_value", "index_top_n"},
    {"extreme_values", "index_min_max"},
    {"extreme_by_value", "index_min_max"},
    {"index_lookup", "index_predicate"},
    {"count_by_value", "index_group_count"},
    {"watch_hits", "late_filter_warning"},
    {"likeness", "similarity"},
    {"entity_sums", "entity_hashes"},
    {"side_thread", "worker_thread"},
    {"run_table", "memtable"},
    {"sorted_runs", "memtable_runs"},
    {"side_files", "metadata_files"},
    {"side_file", "metadata_file"},
    {"recall_levers", "recall_features"},
    {"levers", "features"},
    {"lever", "feature"},
    {"NORMALISED", "MIN_MAX"},
    {"RECALL INDEX", "RANKED INDEX"},
    {"PARTS AS", "BREAKDOWN AS"},
    {"FUSE SHARE", "FUSE MAX_NORM"},
    {"also_weight", "expansion_weight"},
    {"meaning_weight", "dense_weight"},
    {"mention_weight", "entity_weight"},
    {"neighbour_weight", "propagation_weight"},
    {"souvenir_ranking", "similarity_ranking"},
    {"minima_ranking", "recency_ranking"},
    {"cognitive_ranking", "rrf_ranking"},
    {"id set", "bitmap"},
    {"side file", "metadata file"},
    {"strange question", "out-of-distribution query"},
    {"codes of four bits", "4-bit codes"},
    {"anew", "again"},
    {"mend", "repair"},
    {"mends", "repairs"},
    {"mended", "repaired"},
    {"make_measure", "make_metric"},
    {"leg", "retriever"},
    {"legs", "retrievers"},
    {"source document 0", "a product of its own"},
};
// clang-format on

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

/// Whether the name stands at this place, as a word or as a part of an identifier.
bool is_at(std::string_view text, std::size_t place, std::string_view name) {
  const bool is_type = !is_lower(name.front());
  const char before = place == 0 ? ' ' : text[place - 1];
  const char after = place + name.size() == text.size() ? ' ' : text[place + name.size()];
  return !(is_type ? is_lower(before) : is_letter(before)) && !is_lower(after);
}

/// The number of the line on which the name stands first; 0 where it does not.
std::size_t line_of(std::string_view text, std::string_view name) {
  for (std::size_t place = text.find(name); place != text.npos; place = text.find(name, place + 1))
    if (is_at(text, place, name))
      return static_cast<std::size_t>(std::ranges::count(text.substr(0, place), '\n')) + 1;
  return 0;
}

/// True for files that may contain retired names: the list of changes, the format (its names are on disk), and this
/// file.
bool may_have_them(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == "CHANGELOG.md" || name == "FORMAT.md" || name == "retired_names_test.cpp" ||
         file.string().find("/fuzz/corpus/") != std::string::npos;
}

std::vector<fs::path> sources() {
  // Scripts such as tools/run have no extension.
  constexpr std::array<std::string_view, 14> kinds = {"",     ".cpp",    ".hpp",  ".h",    ".md",
                                                      ".txt", ".sh",     ".py",   ".js",   ".mjs",
                                                      ".fbs", ".cypher", ".dict", ".cmake"};
  std::vector<fs::path> found = {fs::path(CAIRN_SOURCE_DIR) / "README.md"};
  for (const char* room : {"codec", "engine", "fuzz", "include", "query", "tests", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(CAIRN_SOURCE_DIR) / room))
      if (entry.is_regular_file() &&
          std::ranges::find(kinds, entry.path().extension().string()) != kinds.end() &&
          !may_have_them(entry.path()))
        found.push_back(entry.path());
  return found;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(retired)

BOOST_AUTO_TEST_CASE(no_file_has_a_retired_name) {
  const std::vector<fs::path> files = sources();
  BOOST_TEST(files.size() > 1'000U);
  for (const fs::path& file : files) {
    const std::string text = content_of(file);
    for (const RetiredName& row : retired_names) {
      const std::size_t line = line_of(text, row.name);
      BOOST_TEST(line == 0U, fs::relative(file, CAIRN_SOURCE_DIR).string()
                                 << ":" << line << ": `" << row.name << "` is called `" << row.now
                                 << "` now");
    }
    const std::string name = file.filename().string();
    for (const RetiredName& row : retired_names)
      BOOST_TEST(line_of(name, row.name) == 0U,
                 name << ": `" << row.name << "` is called `" << row.now << "` now");
  }
}

BOOST_AUTO_TEST_CASE(a_retired_name_is_found_where_it_is_a_word) {
  BOOST_TEST(line_of("a\nIdSetBuilder", "IdSet") == 2U);
  BOOST_TEST(line_of("PostingOverlay overlay_", "overlay") == 1U);
  BOOST_TEST(line_of("ValidSet legal recommend", "leg") == 0U);
  BOOST_TEST(line_of("recommend", "mend") == 0U);
  BOOST_TEST(line_of("find_leg_index", "leg") == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

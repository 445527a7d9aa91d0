// A table of irregular verbs and plurals of English. A word is left out if one of its forms is also
// another frequent word ("bit" of "bite", "lay" of "lie"), or has the stem of another word: "rang"
// has the stem of "range", and "bases" the stem of "base".
#include "engine/fulltext/analyzer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

/// The forms of one word are separated by blanks, words by commas.
constexpr std::string_view english =
    "arise arose arisen,awake awoke awoken,beat beaten,become became,begin began begun,bend bent,"
    "bleed bled,blow blew blown,break broke broken,breed bred,"
    "bring brought,build built,burn burnt,buy bought,catch caught,choose chose chosen,cling clung,"
    "come came,creep crept,deal dealt,dig dug,draw drew drawn,dream dreamt,drink drank drunk,"
    "drive drove driven,eat ate eaten,fall fell fallen,fight fought,"
    "flee fled,fling flung,fly flew flown,forbid forbade forbidden,forget forgot forgotten,"
    "forgive forgave forgiven,freeze froze frozen,get got gotten,give gave given,go went gone,"
    "grow grew grown,hang hung,hear heard,hide hid hidden,hold held,keep kept,kneel knelt,"
    "know knew known,leap leapt,learn learnt,lose lost,make made,"
    "mean meant,meet met,mistake mistook mistaken,overcome overcame,pay paid,ride rode ridden,"
    "run ran,say said,seek sought,sell sold,send sent,"
    "shake shook shaken,shine shone,shoot shot,show shown,shrink shrank shrunk,sing sang sung,"
    "sink sank sunk,sit sat,sleep slept,slide slid,spend spent,spin spun,"
    "stand stood,steal stole stolen,stick stuck,strike struck,strive strove,"
    "swear swore sworn,sweep swept,swell swollen,swim swam swum,swing swung,take took taken,"
    "teach taught,tear tore torn,tell told,think thought,throw threw thrown,undergo underwent,"
    "understand understood,undertake undertook,wake woke woken,wear wore worn,weave wove woven,"
    "weep wept,win won,withdraw withdrew withdrawn,write wrote written,"
    "child children,foot feet,goose geese,half halves,knife knives,"
    "loaf loaves,man men,mouse mice,ox oxen,shelf shelves,thief thieves,tooth teeth,"
    "wife wives,wolf wolves,woman women,"
    "analysis analyses,apex apices,crisis crises,criterion criteria,"
    "datum data,formula formulae,hypothesis hypotheses,matrix matrices,"
    "maximum maxima,minimum minima,nucleus nuclei,phenomenon phenomena,radius radii,"
    "spectrum spectra,stimulus stimuli,synthesis syntheses,"
    "vortex vortices";

/// Splits at each `sign`.
std::vector<std::string_view> split(std::string_view text, char sign) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(sign);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// The stems of the other forms, by the stem of each form.
using Table = std::map<std::string, std::vector<std::string>, std::less<>>;

// Maps the stem of each form to the stems of all other forms. Forms with the same stem count once.
void add_word(std::string_view forms, Table& table) {
  std::vector<std::string> stems;
  for (const std::string_view form : split(forms, ' ')) {
    std::string term(stem("english", form));
    if (std::ranges::find(stems, term) == stems.end()) stems.push_back(std::move(term));
  }
  for (const std::string& one : stems) {
    table[one] = stems;
    std::erase(table[one], one);
  }
}

Table make_table() {
  Table table;
  for (const std::string_view word : split(english, ',')) add_word(word, table);
  return table;
}

}  // namespace

std::span<const std::string> irregular_forms(std::string_view language, std::string_view term) {
  if (language != "english") return {};
  static const Table table = make_table();
  const auto found = table.find(term);
  return found == table.end() ? std::span<const std::string>() : found->second;
}

}  // namespace cairn::engine

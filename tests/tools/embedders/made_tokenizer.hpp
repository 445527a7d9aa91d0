#pragma once
// Small tokenizers of tests, as the text of files tokenizer.json.

#include <cstddef>
#include <initializer_list>
#include <string>

namespace cairn::test {

/// The tokens of small_bert(), each with its place as number.
[[nodiscard]] inline std::string small_bert_vocabulary() {
  std::string json;
  std::size_t id = 0;
  for (const char* const token :
       {"[PAD]",  "[UNK]", "[CLS]",  "[SEP]", "[MASK]", "un",     "##aff",    "##able",   "##a",
        "##b",    "the",   "quick",  "##ly",  "fox",    ",",      ".",        "!",        "?",
        "'",      "-",     "a",      "b",     "e",      "o",      "s",        "t",        "##s",
        "##t",    "##e",   "cafe",   "naive", "東",     "京",     "日",       "##本",     "ο",
        "##δ",    "##ο",   "##ς",    "##σ",   "σ",      "i",      "##i",      "1",        "2",
        "##2",    "##3",   "привет", "мир",   "안",     "\u110b", "##\u1161", "##\u11ab", "🙂",
        "\ufb01", "fi",    "##ne"})
    json += (json.empty() ? "\"" : ",\"") + std::string(token) + "\":" + std::to_string(id++);
  return json;
}

/// A tokenizer as BERT has it.
[[nodiscard]] inline std::string small_bert() {
  std::string added;
  std::size_t id = 0;
  for (const std::string token : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
    added += (added.empty() ? "" : ",") + std::string("{\"id\":") + std::to_string(id++) +
             ",\"content\":\"" + token +
             "\",\"single_word\":false,\"lstrip\":" + (token == "[MASK]" ? "true" : "false") +
             ",\"rstrip\":false,\"normalized\":false,\"special\":true}";
  }
  return R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[)" + added +
         R"(],"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,)"
         R"("strip_accents":null,"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},)"
         R"("post_processor":{"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]},)"
         R"("decoder":null,"model":{"type":"WordPiece","unk_token":"[UNK]",)"
         R"("continuing_subword_prefix":"##","max_input_chars_per_word":10,"vocab":{)" +
         small_bert_vocabulary() + "}}}";
}

/// A tokenizer for which each piece is one token, with this pre-tokenizer.
[[nodiscard]] inline std::string word_level(const std::string& pre_tokenizer) {
  return R"({"pre_tokenizer": )" + pre_tokenizer +
         R"(, "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0}}})";
}

}  // namespace cairn::test

#pragma once
// make_embedder: makes an embedder from a text that names it, as the option `--embedder` takes it.
// It is in a library of its own, so that the core links nothing for it: link cairn::embedders.
//
//     hash
//     words:glove.cwv
//     static:models/potion-base-8M
//     command:./model.py --small
//     http:http://localhost:11434/api/embed model=nomic-embed-text

#include <cairn/embedder.hpp>
#include <cairn/result.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace cairn {

/// Settings of make_embedder() that are not part of the text, because the text may be stored and
/// shown.
struct EmbedderOptions {
  /// The longest time for one answer of a program or a service.
  std::chrono::milliseconds timeout{120'000};
  /// How long a request is retried, counted from the first wait, if a service is unavailable or
  /// answers that it is busy. A call for many texts sends several requests.
  std::chrono::milliseconds patience{60'000};
  /// The key of a service; empty: CAIRN_EMBEDDER_KEY of the environment, if it is set. No message
  /// contains the key.
  std::string key = {};
};

/// Makes the embedder that `spec` names.
///
/// hash: the built-in embedder. words:FILE: a file of WordVectors::convert(). static:DIRECTORY: a
/// model of Model2Vec or a StaticEmbedding of sentence-transformers as it is published, mapped.
/// command:PROGRAM ARGUMENT...: a program that keeps running and answers lines of JSON. http:URL
/// NAME=VALUE...: a service. The text after command: and http: is split into words at blanks; a
/// word in single or double quotes is a string of the language. No shell sees it. tools/README.md
/// describes the lines of a program and the settings of a service.
///
/// This call requests the model and dimension of a program or service. An answer of another number
/// of vectors, or with vectors of another length or with numbers that are not finite, is an error:
/// no vector is lost or in the wrong place. Errors: invalid_argument for a text that names no
/// embedder; unsupported for a service if the library was built without libcurl, and for a model
/// whose tokenizer has a part that Cairn does not know; corruption for damaged files of a model;
/// those of WordVectors::open(); busy for a program or service that does not answer in time, and
/// io_error for one that cannot be used. Threads: the result may be used from any thread, and a
/// program answers one call at a time.
[[nodiscard]] Result<std::unique_ptr<Embedder>> make_embedder(std::string_view spec,
                                                              const EmbedderOptions& options = {});

}  // namespace cairn

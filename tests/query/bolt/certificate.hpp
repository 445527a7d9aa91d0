#pragma once
// A certificate of this machine that nobody signed but its owner, in files.

#include "tests/support/temporary_directory.hpp"

#include <cairn/bolt.hpp>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace cairn::test {

template <class Type>
using Owned = std::unique_ptr<Type, void (*)(Type*)>;

/// A key of its own, and a certificate that it signed itself.
class Certificate {
 public:
  explicit Certificate(const std::string& name, const char* places = "DNS:localhost,IP:127.0.0.1")
      : files{directory_.path() / (name + ".pem"), directory_.path() / (name + ".key")} {
    const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const Owned<X509> certificate(X509_new(), &X509_free);
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -60);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3'600);
    X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* subject = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), subject);
    const Owned<X509_EXTENSION> names(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, places), &X509_EXTENSION_free);
    X509_add_ext(certificate.get(), names.get(), -1);
    X509_sign(certificate.get(), key.get(), EVP_sha256());
    write(files.certificate, [&](std::FILE* file) { PEM_write_X509(file, certificate.get()); });
    write(files.key, [&](std::FILE* file) {
      PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }

 private:
  template <class Write>
  static void write(const std::filesystem::path& path, const Write& write_to) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    write_to(file);
    std::fclose(file);
  }

  TemporaryDirectory directory_;

 public:
  BoltTls files;
};

}  // namespace cairn::test

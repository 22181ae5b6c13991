import CMicroHTTPD

/// SHA-256 (FIPS 180-4), by GnuTLS, to which libmicrohttpd is linked for TLS.
package enum SHA256 {
  private static let size = 32

  /// Returns the digest of a message.
  package static func digest(of message: [UInt8]) -> [UInt8] {
    unsafe result { place in
      unsafe message.withUnsafeBytes { bytes in
        unsafe gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes.baseAddress, bytes.count, place)
      }
    }
  }

  /// Returns the authentication code HMAC-SHA256 (RFC 2104) of a message under a key.
  package static func authenticationCode(of message: [UInt8], under key: [UInt8]) -> [UInt8] {
    unsafe result { place in
      unsafe key.withUnsafeBytes { key in
        unsafe message.withUnsafeBytes { bytes in
          unsafe gnutls_hmac_fast(
            GNUTLS_MAC_SHA256, key.baseAddress, key.count, bytes.baseAddress, bytes.count, place)
        }
      }
    }
  }

  /// Returns the bytes written by the library, which cannot fail for this algorithm.
  private static func result(_ write: (UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      precondition(unsafe write(bytes.baseAddress) == 0, "GnuTLS has no SHA-256.")
      count = size
    }
  }
}

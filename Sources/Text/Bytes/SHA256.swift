import CMessageDigest
import Foundation

/// The message digest SHA-256 (FIPS 180-4), computed by libmd.
package enum SHA256 {
  /// Returns the digest of `data` as 64 lowercase hexadecimal digits.
  package static func hex(_ data: Data) -> String {
    var context = SHA2_CTX()
    SHA256Init(&context)
    data.withUnsafeBytes { SHA256Update(&context, $0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256Final(&digest, &context)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

import CMessageDigest
import Foundation

/// The 64-bit FNV-1a hash.
///
/// It is not cryptographic: an attacker who chooses the bytes can find a collision.
package struct FNV1a: Hashable, Sendable {
  /// The hash of the bytes so far.
  package private(set) var value: UInt64

  package init(offsetBasis: UInt64 = 0xcbf2_9ce4_8422_2325) { value = offsetBasis }

  package init(_ text: String) {
    self.init()
    combine(text)
  }

  package mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { combine(byte) }
  }

  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
  }

  /// The hash as 16 lowercase hexadecimal digits.
  package var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

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

import Foundation

/// The properties of a request that are recorded with its effect.
struct AuditCause: Hashable, Sendable {
  var bodyHash: String
  var request: String?

  init(body: Data, request: String?) {
    // FNV-1a, 64 bits: enough to distinguish the requests of a test, without a library.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    body.withUnsafeBytes { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    let digits = String(hash, radix: 16)
    bodyHash = String(repeating: "0", count: 16 - digits.count) + digits
    self.request = request
  }
}

import Foundation

/// A time-based UUID (RFC 9562 section 5.1) in lower case, as the servers used for vendors, pictures and deletion
/// tokens.
struct UUIDv1: Hashable, Sendable {
  let text: String

  /// The units of 100 ns between 1582-10-15 and 1970-01-01.
  private static let epoch: UInt64 = 0x01B2_1DD2_1381_4000

  /// Creates a UUID.
  ///
  /// `random` provides the clock sequence and the node, so that two with the same timestamp differ.
  init(at stamp: MarketTime, random: UInt64) {
    let ticks = UInt64(max(0, stamp.microseconds)) &* 10 &+ UUIDv1.epoch &+ (random & 0x7)
    let clock = (random >> 50) & 0x3FFF | 0x8000
    let node = random & 0xFFFF_FFFF_FFFF | 0x0100_0000_0000
    text = [
      UUIDv1.hex(ticks & 0xFFFF_FFFF, 8), UUIDv1.hex(ticks >> 32 & 0xFFFF, 4),
      UUIDv1.hex(ticks >> 48 & 0x0FFF | 0x1000, 4), UUIDv1.hex(clock, 4), UUIDv1.hex(node, 12),
    ].joined(separator: "-")
  }

  /// The 32 hexadecimal digits, as in the paths of pictures.
  var hexString: String { text.filter { $0 != "-" } }

  private static func hex(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

import Foundation

/// Unique identifiers that sort by time: 48 bits of milliseconds and 80 random bits in Crockford's base 32.
package enum ULID {
  private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  package static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let now = Int64(exactly: (Date().timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    return make(milliseconds: now, using: &generator)
  }

  package static func make(milliseconds: Int64, using generator: inout some RandomNumberGenerator) -> String {
    var digits: [UInt8] = []
    let time = UInt64(bitPattern: max(milliseconds, 0))
    for shift in stride(from: 45, through: 0, by: -5) { digits.append(letters[Int(time >> UInt64(shift) & 31)]) }
    for random in [generator.next(), generator.next()] {
      for shift in stride(from: 35, through: 0, by: -5) { digits.append(letters[Int(random >> UInt64(shift) & 31)]) }
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

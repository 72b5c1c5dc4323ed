import Foundation

/// Builds PNGs chunk by chunk without libpng, so that the reader is not tested with its own library's output.
struct CraftedPNG {
  var width: Int
  var height: Int
  var depth = 8
  /// The color type: 0 gray, 2 color, 3 palette, 4 gray with alpha, 6 color with alpha.
  var colour = 6
  var isInterlaced = false
  /// The chunks between IHDR and IDAT.
  var chunks: [(String, [UInt8])] = []
  /// The rows, each with its filter byte first.
  var rows: [UInt8]

  var bytes: Data {
    var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let header = Self.four(width) + Self.four(height) + [UInt8(depth), UInt8(colour), 0, 0, isInterlaced ? 1 : 0]
    data += Self.chunk("IHDR", header)
    for (name, body) in chunks { data += Self.chunk(name, body) }
    data += Self.chunk("IDAT", Self.stored(rows))
    return data + Self.chunk("IEND", [])
  }

  static func chunk(_ name: String, _ body: [UInt8]) -> Data {
    let named = Array(name.utf8) + body
    return Data(four(body.count) + named + four(Int(checksum(named))))
  }

  static func four(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(number >> $0 & 255) }
  }

  /// Returns a zlib stream of stored blocks (RFC 1950, RFC 1951 section 3.2.4), for rows of less than 64 KiB.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let (length, inverse) = (bytes.count, 65_535 - bytes.count)
    let block: [UInt8] = [1, UInt8(length & 255), UInt8(length >> 8), UInt8(inverse & 255), UInt8(inverse >> 8)]
    return [0x78, 0x01] + block + bytes + four(high << 16 | low)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}

import CZlib
import FoundationEssentials

/// Compression of archived data in the zlib format (RFC 1950), without size or name.
///
/// The fastest level is used, because archived data is seldom read. Less than two kilobytes, such as the exchange for
/// one product, are written as a stored block (RFC 1951 section 3.2.4), because creating the compression tables takes
/// longer than everything else.
enum Deflated {
  private static let least = 2 << 10

  /// Returns the compressed data, or `nil` if memory is insufficient, which is the only possible error.
  static func deflate(_ data: Data) -> Data? {
    if data.count < least { return stored(data) }
    var size = compressBound(UInt(data.count))
    var result = Data(count: Int(size))
    let code = result.withUnsafeMutableBytes { target in
      data.withUnsafeBytes { source in
        compress2(
          target.bindMemory(to: UInt8.self).baseAddress, &size, source.bindMemory(to: UInt8.self).baseAddress,
          UInt(data.count), Z_BEST_SPEED)
      }
    }
    guard code == Z_OK else { return nil }
    return Data(result.prefix(Int(size)))
  }

  /// Returns the data as a zlib stream of one stored block: the two-byte header for the fastest level, the block and
  /// the checksum.
  private static func stored(_ data: Data) -> Data {
    let length = UInt16(data.count)
    var result = Data([0x78, 0x01, 0x01])
    for half in [length, ~length] { withUnsafeBytes(of: half.littleEndian) { result.append(contentsOf: $0) } }
    result.append(data)
    let sum = data.withUnsafeBytes { adler32(1, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
    withUnsafeBytes(of: UInt32(sum).bigEndian) { result.append(contentsOf: $0) }
    return result
  }

  /// Returns the decompressed data, or `nil` if it is invalid or doesn't have `size` bytes.
  static func inflate(_ data: Data, size: Int) -> Data? {
    guard (0...(1 << 30)).contains(size) else { return nil }
    // An empty buffer has no address.
    var result = Data(count: max(size, 1))
    var length = UInt(size)
    let code = result.withUnsafeMutableBytes { target in
      data.withUnsafeBytes { source in
        uncompress(
          target.bindMemory(to: UInt8.self).baseAddress, &length, source.bindMemory(to: UInt8.self).baseAddress,
          UInt(data.count))
      }
    }
    guard code == Z_OK, length == size else { return nil }
    return Data(result.prefix(size))
  }
}

import CZlib
import FoundationEssentials

/// Bytes as they lie in an archive: deflated in the format of zlib (RFC 1950), without a size or a name of their own.
///
/// An answer of a market shrinks to about a sixth; the fastest level is used, because what is archived is read rarely.
/// Less than two kilobytes, such as a call about one product, lie in it as they are (RFC 1951 section 3.2.4): to make the
/// tables for them takes longer than all the rest of keeping them.
enum Deflated {
  private static let least = 2 << 10

  /// Nil where memory is short; nothing else can go wrong with bytes that are there.
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

  /// The two bytes of RFC 1950 for the fastest level, one block that is the last, and the sum of what is in it.
  private static func stored(_ data: Data) -> Data {
    let length = UInt16(data.count)
    var result = Data([0x78, 0x01, 0x01])
    for half in [length, ~length] { withUnsafeBytes(of: half.littleEndian) { result.append(contentsOf: $0) } }
    result.append(data)
    let sum = data.withUnsafeBytes { adler32(1, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count)) }
    withUnsafeBytes(of: UInt32(sum).bigEndian) { result.append(contentsOf: $0) }
    return result
  }

  /// The bytes again, which were that many; nil for what is no such text, or another number of bytes.
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

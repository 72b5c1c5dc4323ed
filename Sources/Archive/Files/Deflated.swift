import CZlib
import FoundationEssentials

/// Compression of archived data in the zlib format (RFC 1950), without size or name.
///
/// An answer of a market shrinks to about a sixth; the fastest level is used, because what is archived is read rarely.
enum Deflated {
  /// Nil where memory is short; nothing else can go wrong with bytes that are there.
  static func deflate(_ data: Data) -> Data? {
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

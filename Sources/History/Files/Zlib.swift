import CZlib
import FoundationEssentials

/// Bytes as they lie in an archive: deflated in the format of zlib (RFC 1950), without a size or a name of their own,
/// or as they are if they are short or don't become smaller.
///
/// A page of a list shrinks to about a sixth; the fastest level is used, because what is archived is read rarely.
enum Zlib {
  /// The number of bytes below which data isn't deflated.
  ///
  /// The exchanges of a scan, most of which are stored without a body, would shrink from 600 to 420 bytes, and the scan
  /// of 1,000 pages take 121 in place of 114 ms.
  private static let minimumSize = 1_024

  /// Returns the archived form, or `nil` if memory is insufficient, which is the only possible error.
  static func deflate(_ data: Data) -> Data? {
    guard data.count >= minimumSize else { return data }
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
    return size < UInt(data.count) ? Data(result.prefix(Int(size))) : data
  }

  /// Returns the data that was archived, or `nil` if it is invalid or doesn't have `size` bytes.
  static func inflate(_ data: Data, size: Int) -> Data? {
    guard data.count != size else { return data }
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

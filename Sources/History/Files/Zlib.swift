import CZlib
import FoundationEssentials

/// Bytes as they lie in an archive: deflated in the format of zlib (RFC 1950), without a size or a name of their own.
///
/// An answer of a market shrinks to about a sixth; the fastest level is used, because what is archived is read rarely.
enum Zlib {
  private static let maximumSize = 1 << 30

  /// Returns the compressed data, or `nil` if memory is insufficient or there is more than a gigabyte.
  static func deflate(_ data: Data) -> Data? {
    guard data.count <= maximumSize else { return nil }
    var stream = z_stream()
    // A window as long as the data, because zlib clears its tables for each call: 17 in place of 29 µs for a product,
    // and a write has three calls.
    let windowBits = Int32(min(max(Int.bitWidth - data.count.leadingZeroBitCount, 10), 15))
    let code = deflateInit2_(
      &stream, Z_BEST_SPEED, Z_DEFLATED, windowBits, windowBits - 7, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var result = Data(count: Int(deflateBound(&stream, UInt(data.count))))
    let end = data.withUnsafeBytes { source in
      result.withUnsafeMutableBytes { target in
        stream.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(target.count)
        return CZlib.deflate(&stream, Z_FINISH)
      }
    }
    guard end == Z_STREAM_END else { return nil }
    return Data(result.prefix(Int(stream.total_out)))
  }

  /// Returns the decompressed data, or `nil` if it is invalid or doesn't have `size` bytes.
  static func inflate(_ data: Data, size: Int) -> Data? {
    guard (0...maximumSize).contains(size) else { return nil }
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

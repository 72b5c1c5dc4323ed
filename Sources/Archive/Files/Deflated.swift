import CZlib
import FoundationEssentials

/// Bytes as they lie in an archive: deflated in the format of zlib (RFC 1950), without a size or a name of their own.
///
/// An answer of a market shrinks to about a sixth; the fastest level is used, because what is archived is read rarely.
/// Less than two kilobytes, such as a call about one product, lie in it as they are (RFC 1951 section 3.2.4): to make the
/// tables for them takes longer than all the rest of keeping them.
enum Deflated {
  private static let least = 2 << 10
  private static let most = 1 << 30

  /// Nil where memory is short, and for more than a gigabyte.
  static func deflate(_ data: Data) -> Data? {
    guard data.count <= most else { return nil }
    if data.count < least { return stored(data) }
    var stream = z_stream()
    // The distance that a repetition is looked for in: no longer than the text, so that little memory is made ready.
    let window = Int32(min(15, max(10, Int.bitWidth - data.count.leadingZeroBitCount)))
    let size = Int32(MemoryLayout<z_stream>.size)
    let begun = deflateInit2_(
      &stream, Z_BEST_SPEED, Z_DEFLATED, window, window - 7, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    guard begun == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var result = Data(count: Int(deflateBound(&stream, UInt(data.count))))
    let code = result.withUnsafeMutableBytes { target in
      data.withUnsafeBytes { source in
        stream.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = UInt32(target.count)
        return CZlib.deflate(&stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END else { return nil }
    return Data(result.prefix(Int(stream.total_out)))
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
    guard (0...most).contains(size) else { return nil }
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

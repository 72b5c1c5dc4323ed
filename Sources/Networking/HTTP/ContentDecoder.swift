import CZlib
import Foundation

/// The reason why the content of a complete response cannot be decoded by its `Content-Encoding`.
package enum ContentCodingFault: Error, Hashable, Sendable {
  /// A coding that this client did not ask for, such as `br`.
  case unsupported(String)
  /// The content is not in the format of this coding; usually it is not compressed at all.
  case otherFormat(String)
  case damaged
  /// The content ends before the compressed data does.
  case truncated
  /// Other data follows the compressed data.
  case trailingData
}

/// Decodes the content of a response by its `Content-Encoding` (RFC 9110 section 8.4).
///
/// `gzip` may have several members (RFC 1952 section 2.2). `deflate` is the zlib format (RFC 1950), or the bare data
/// (RFC 1951) that many servers send instead.
struct ContentDecoder {
  /// The error for content that is longer than the limit.
  struct TooLarge: Error {}

  /// The values of the fields in their order.
  let fields: [String]
  /// The maximum size of the decoded content in bytes.
  let limit: Int

  /// A response with more codings than this is not decoded.
  private static let maximumCodings = 4

  /// Returns the decoded content.
  ///
  /// Content without bytes, as of a response to HEAD, needs no decoding.
  ///
  /// - Throws: `ContentCodingFault`, or `TooLarge`.
  func decode(_ content: Data) throws -> Data {
    let codings = fields.flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { !$0.isEmpty && $0 != "identity" }
    if content.isEmpty || codings.isEmpty { return content }
    guard codings.count <= Self.maximumCodings else {
      throw ContentCodingFault.unsupported(codings.joined(separator: ", "))
    }
    return try codings.reversed().reduce(content) { try decode($0, coding: $1) }
  }

  private func decode(_ content: Data, coding: String) throws -> Data {
    guard ["gzip", "x-gzip", "deflate"].contains(coding) else { throw ContentCodingFault.unsupported(coding) }
    let start = Array(content.prefix(2))
    // Some servers name the one and send the other, so the first bytes decide.
    if start == [0x1F, 0x8B] { return try members(of: content) }
    let isZlib = start.count == 2 && start[0] & 0x0F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
    guard isZlib || coding == "deflate" else { throw ContentCodingFault.otherFormat(coding) }
    do {
      let (data, count) = try inflate(content, windowBits: isZlib ? MAX_WBITS : -MAX_WBITS, limit)
      guard count == content.count else { throw ContentCodingFault.trailingData }
      return data
    } catch ContentCodingFault.damaged where !isZlib {
      throw ContentCodingFault.otherFormat(coding)
    }
  }

  /// Decodes the members of a gzip file one after another.
  private func members(of content: Data) throws -> Data {
    var (result, rest) = (Data(), content)
    repeat {
      guard rest.starts(with: [0x1F, 0x8B]) else { throw ContentCodingFault.trailingData }
      // 16: the format is gzip.
      let (data, count) = try inflate(rest, windowBits: MAX_WBITS + 16, limit - result.count)
      result.append(data)
      rest = rest.dropFirst(count)
    } while !rest.isEmpty
    return result
  }

  /// Inflates one stream; returns its data and the number of bytes that it took.
  private func inflate(_ content: Data, windowBits: Int32, _ limit: Int) throws -> (Data, Int) {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw ContentCodingFault.damaged
    }
    defer { inflateEnd(&stream) }
    var result = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    return try content.withUnsafeBytes { source in
      stream.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = UInt32(source.count)
      while true {
        let (code, count) = buffer.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          let code = CZlib.inflate(&stream, Z_NO_FLUSH)
          return (code, target.count - Int(stream.avail_out))
        }
        // Nothing is left to read, and the stream has not ended.
        if code == Z_BUF_ERROR { throw ContentCodingFault.truncated }
        guard code == Z_OK || code == Z_STREAM_END else { throw ContentCodingFault.damaged }
        guard count <= limit - result.count else { throw TooLarge() }
        result.append(contentsOf: buffer[..<count])
        if code == Z_STREAM_END { return (result, source.count - Int(stream.avail_in)) }
      }
    }
  }
}

import CZlib
import Foundation

/// A ZIP archive in memory (APPNOTE 6.3), whose entries are inflated piece by piece.
///
/// Encrypted entries, archives of several parts and ZIP64 are rejected.
struct ZipArchive {
  enum Fault: Error, Hashable, Sendable {
    case notAnArchive
    case damaged
    case unsupported
    /// An entry inflates to more bytes than are accepted.
    case tooLarge
  }

  /// The maximum number of entries.
  private static let mostEntries = 10_000

  private struct Entry {
    var method: Int
    var packed: Int
    var offset: Int
  }

  private let bytes: Data
  private var entries: [String: Entry] = [:]

  /// Reads the central directory.
  ///
  /// - Throws: `Fault`.
  init(_ bytes: Data) throws(Fault) {
    self.bytes = bytes
    let end = try endOfDirectory()
    let count = try number(end + 10, 2)
    var place = try number(end + 16, 4)
    guard count <= ZipArchive.mostEntries, count != 0xFFFF, place != 0xFFFF_FFFF else { throw .unsupported }
    for _ in 0..<count {
      guard try number(place, 4) == 0x0201_4B50 else { throw .damaged }
      let flags = try number(place + 8, 2)
      let lengths = (try number(place + 28, 2), try number(place + 30, 2), try number(place + 32, 2))
      guard place + 46 + lengths.0 <= bytes.count else { throw .damaged }
      let start = bytes.startIndex + place + 46
      let name = String(decoding: bytes[start..<start + lengths.0], as: UTF8.self)
      // Later commands find out that an encrypted entry is needed.
      let method = flags & 1 == 1 ? -1 : try number(place + 10, 2)
      entries[name] = Entry(method: method, packed: try number(place + 20, 4), offset: try number(place + 42, 4))
      place += 46 + lengths.0 + lengths.1 + lengths.2
    }
  }

  func contains(_ name: String) -> Bool { entries[name] != nil }

  /// Inflates an entry, and passes it on in pieces.
  ///
  /// - Parameters:
  ///   - name: The name of the entry.
  ///   - limit: The maximum number of bytes after inflating.
  ///   - take: Receives each piece, and returns whether more are wanted.
  /// - Throws: `Fault`; `.damaged` also if there is no such entry.
  func read(_ name: String, limit: Int, take: (UnsafeBufferPointer<UInt8>) -> Bool) throws(Fault) {
    guard let entry = entries[name] else { throw .damaged }
    guard try number(entry.offset, 4) == 0x0403_4B50 else { throw .damaged }
    let start = entry.offset + 30 + (try number(entry.offset + 26, 2)) + (try number(entry.offset + 28, 2))
    guard entry.packed <= bytes.count, start + entry.packed <= bytes.count else { throw .damaged }
    let packed = bytes[bytes.startIndex + start..<bytes.startIndex + start + entry.packed]
    switch entry.method {
    case 0:
      guard packed.count <= limit else { throw .tooLarge }
      packed.withUnsafeBytes { _ = take($0.bindMemory(to: UInt8.self)) }
    case 8: try inflate(packed, limit, take)
    default: throw .unsupported
    }
  }

  private func inflate(
    _ packed: Data, _ limit: Int, _ take: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(Fault) {
    var stream = z_stream()
    // Negative: raw data without a header of zlib.
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .damaged
    }
    defer { inflateEnd(&stream) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    let result: Result<Void, Fault> = packed.withUnsafeBytes { source in
      stream.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = UInt32(source.count)
      while true {
        var count = 0
        let code = buffer.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          let code = CZlib.inflate(&stream, Z_NO_FLUSH)
          count = target.count - Int(stream.avail_out)
          return code
        }
        guard code == Z_OK || code == Z_STREAM_END else { return .failure(.damaged) }
        total += count
        if total > limit { return .failure(.tooLarge) }
        let wantsMore = buffer.withUnsafeBufferPointer { take(UnsafeBufferPointer(rebasing: $0[..<count])) }
        if code == Z_STREAM_END || !wantsMore { return .success(()) }
        if count == 0, stream.avail_in == 0 { return .failure(.damaged) }
      }
    }
    try result.get()
  }

  private func endOfDirectory() throws(Fault) -> Int {
    // The record is followed by a comment of at most 65,535 bytes.
    guard bytes.count >= 22 else { throw .notAnArchive }
    var place = bytes.count - 22
    let first = max(0, place - 65_535)
    while place >= first {
      if try number(place, 4) == 0x0605_4B50 { return place }
      place -= 1
    }
    throw .notAnArchive
  }

  /// Returns a little-endian number.
  private func number(_ place: Int, _ size: Int) throws(Fault) -> Int {
    guard place >= 0, place + size <= bytes.count else { throw .damaged }
    var value = 0
    for index in (0..<size).reversed() { value = value << 8 | Int(bytes[bytes.startIndex + place + index]) }
    return value
  }
}

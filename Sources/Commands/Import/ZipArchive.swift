import CZlib
import Foundation

/// A ZIP archive in memory (APPNOTE 6.3), whose entries are inflated piece by piece.
///
/// Encrypted entries and archives of several parts are rejected. The 64-bit fields of ZIP64 are read, which some programs
/// write for small archives, too.
struct ZipArchive {
  enum Fault: Error, Hashable, Sendable {
    case notAnArchive
    case damaged
    case unsupported
    /// An entry has more bytes than are accepted, packed or inflated.
    case tooLarge
  }

  /// The maximum number of entries.
  private static let maximumEntries = 10_000

  /// An entry as the central directory describes it.
  ///
  /// Its local header may have neither sizes nor a checksum (APPNOTE 4.4.4, bit 3).
  private struct Entry {
    var method: Int
    /// The CRC-32 of the inflated bytes.
    var checksum: Int
    /// The number of packed bytes.
    var packed: Int
    /// The number of inflated bytes.
    var inflated: Int
    var offset: Int
  }

  private let bytes: Data
  private var entries: [String: Entry] = [:]

  /// Reads the central directory.
  ///
  /// - Throws: `Fault`.
  init(_ bytes: Data) throws(Fault) {
    self.bytes = bytes
    var (count, position) = try directory(endingAt: try endOfDirectory())
    guard count <= ZipArchive.maximumEntries else { throw .unsupported }
    for _ in 0..<count {
      guard try number(position, 4) == 0x0201_4B50 else { throw .damaged }
      let flags = try number(position + 8, 2)
      let lengths = (try number(position + 28, 2), try number(position + 30, 2), try number(position + 32, 2))
      guard position + 46 + lengths.0 <= bytes.count else { throw .damaged }
      let start = bytes.startIndex + position + 46
      let name = String(decoding: bytes[start..<start + lengths.0], as: UTF8.self)
      // An encrypted entry is an error only if it is read.
      let method = flags & 1 == 1 ? -1 : try number(position + 10, 2)
      var entry = Entry(
        method: method, checksum: try number(position + 16, 4), packed: try number(position + 20, 4),
        inflated: try number(position + 24, 4), offset: try number(position + 42, 4))
      try readLongFields(of: &entry, position + 46 + lengths.0, lengths.1)
      entries[name] = entry
      position += 46 + lengths.0 + lengths.1 + lengths.2
    }
  }

  func contains(_ name: String) -> Bool { entries[name] != nil }

  /// Inflates an entry, and passes it on in pieces.
  ///
  /// The pieces may be used only after the method has returned, because damage is found at the end of the entry.
  ///
  /// - Parameters:
  ///   - name: The name of the entry.
  ///   - limit: The maximum number of bytes after inflating.
  ///   - take: Receives each piece, and returns whether more are wanted.
  /// - Throws: `Fault`; `.damaged` also if there is no such entry, and if all of it was read and its size or its CRC-32
  ///   isn't the one of the central directory.
  func read(_ name: String, limit: Int, take: (UnsafeBufferPointer<UInt8>) -> Bool) throws(Fault) {
    guard let entry = entries[name] else { throw .damaged }
    guard try number(entry.offset, 4) == 0x0403_4B50 else { throw .damaged }
    let start = entry.offset + 30 + (try number(entry.offset + 26, 2)) + (try number(entry.offset + 28, 2))
    guard start <= bytes.count, entry.packed <= bytes.count - start else { throw .damaged }
    let packed = bytes[bytes.startIndex + start..<bytes.startIndex + start + entry.packed]
    switch entry.method {
    case 0:
      guard packed.count <= limit else { throw .tooLarge }
      let isIntact = packed.withUnsafeBytes { source in
        let bytes = source.bindMemory(to: UInt8.self)
        guard take(bytes) else { return true }
        return bytes.count == entry.inflated && crc32_z(0, bytes.baseAddress, bytes.count) == entry.checksum
      }
      guard isIntact else { throw .damaged }
    case 8: try inflate(packed, of: entry, limit: limit, take: take)
    default: throw .unsupported
    }
  }

  private func inflate(
    _ packed: Data, of entry: Entry, limit: Int, take: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(Fault) {
    // zlib counts the bytes of its input in 32 bits.
    guard let packedCount = UInt32(exactly: packed.count) else { throw .tooLarge }
    var stream = z_stream()
    // Negative: raw data without a header of zlib.
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .damaged
    }
    defer { inflateEnd(&stream) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var total = 0
    var checksum = crc32_z(0, nil, 0)
    let result: Result<Void, Fault> = packed.withUnsafeBytes { source in
      stream.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = packedCount
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
        let wantsMore = buffer.withUnsafeBufferPointer { buffer in
          let piece = UnsafeBufferPointer(rebasing: buffer[..<count])
          checksum = crc32_z(checksum, piece.baseAddress, count)
          return take(piece)
        }
        if !wantsMore { return .success(()) }
        if code == Z_STREAM_END {
          return total == entry.inflated && checksum == entry.checksum ? .success(()) : .failure(.damaged)
        }
        if count == 0, stream.avail_in == 0 { return .failure(.damaged) }
      }
    }
    try result.get()
  }

  /// Returns the number of entries and the offset of the central directory.
  ///
  /// A field whose bits are all set is in the record of ZIP64 in front of its locator (APPNOTE 4.3.14, 4.3.15).
  private func directory(endingAt end: Int) throws(Fault) -> (count: Int, offset: Int) {
    let (count, size, offset) = (try number(end + 10, 2), try number(end + 12, 4), try number(end + 16, 4))
    guard count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF else { return (count, offset) }
    let locator = end - 20
    guard locator >= 0, try number(locator, 4) == 0x0706_4B50 else {
      // Exactly 65,535 entries are no workbook.
      throw .unsupported
    }
    let record = try number(locator + 8, 8)
    guard try number(record, 4) == 0x0606_4B50 else { throw .damaged }
    return (try number(record + 32, 8), try number(record + 48, 8))
  }

  /// Reads the sizes and the offset that are only in the extra field of ZIP64 (APPNOTE 4.5.3).
  private func readLongFields(of entry: inout Entry, _ start: Int, _ length: Int) throws(Fault) {
    guard entry.inflated == 0xFFFF_FFFF || entry.packed == 0xFFFF_FFFF || entry.offset == 0xFFFF_FFFF else { return }
    var position = start
    while position + 4 <= start + length {
      let (id, size) = (try number(position, 2), try number(position + 2, 2))
      var field = position + 4
      position = field + size
      guard id == 1 else { continue }
      guard position <= start + length else { throw .damaged }
      // Only the fields that need it are there, in this order.
      func next() throws(Fault) -> Int {
        guard field + 8 <= position else { throw .damaged }
        defer { field += 8 }
        return try number(field, 8)
      }
      if entry.inflated == 0xFFFF_FFFF { entry.inflated = try next() }
      if entry.packed == 0xFFFF_FFFF { entry.packed = try next() }
      if entry.offset == 0xFFFF_FFFF { entry.offset = try next() }
      return
    }
    throw .damaged
  }

  private func endOfDirectory() throws(Fault) -> Int {
    // The record is followed by a comment of at most 65,535 bytes.
    guard bytes.count >= 22 else { throw .notAnArchive }
    var position = bytes.count - 22
    let first = max(0, position - 65_535)
    while position >= first {
      if try number(position, 4) == 0x0605_4B50 { return position }
      position -= 1
    }
    throw .notAnArchive
  }

  /// Returns a little-endian number.
  private func number(_ position: Int, _ size: Int) throws(Fault) -> Int {
    guard position >= 0, position <= bytes.count - size else { throw .damaged }
    var value: UInt64 = 0
    for index in (0..<size).reversed() { value = value << 8 | UInt64(bytes[bytes.startIndex + position + index]) }
    // No offset or size of an archive in memory is larger.
    guard let value = Int(exactly: value) else { throw .damaged }
    return value
  }
}

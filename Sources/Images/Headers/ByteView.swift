import Foundation

/// Reads integers from untrusted bytes.
///
/// A read out of bounds returns `nil` and never traps.
struct ByteView {
  private let bytes: Data
  let count: Int

  init(_ bytes: Data) {
    self.bytes = bytes
    count = bytes.count
  }

  func byte(_ offset: Int) -> Int? {
    guard offset >= 0, offset < count else { return nil }
    return Int(bytes[bytes.startIndex + offset])
  }

  func uint16(_ offset: Int, bigEndian: Bool = true) -> Int? {
    guard let first = byte(offset), let second = byte(offset + 1) else { return nil }
    return bigEndian ? first << 8 | second : second << 8 | first
  }

  /// Returns a little-endian integer of three bytes, as in WebP.
  func uint24(_ offset: Int) -> Int? {
    guard let low = uint16(offset, bigEndian: false), let high = byte(offset + 2) else { return nil }
    return high << 16 | low
  }

  func uint32(_ offset: Int, bigEndian: Bool = true) -> Int? {
    guard let first = uint16(offset, bigEndian: bigEndian), let second = uint16(offset + 2, bigEndian: bigEndian) else {
      return nil
    }
    return bigEndian ? first << 16 | second : second << 16 | first
  }

  func hasPrefix(_ text: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset + text.utf8CodeUnitCount <= count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { byte(offset + $0) == Int(text.utf8Start[$0]) }
  }

  /// Returns a slice from `offset`, truncated to the available bytes.
  func slice(_ offset: Int, length: Int) -> ByteView {
    guard offset >= 0, offset < count, length > 0 else { return ByteView(Data()) }
    let start = bytes.startIndex + offset
    return ByteView(bytes[start..<(start + min(length, count - offset))])
  }

  /// The bytes with indices from 0.
  var data: Data { Data(bytes) }

  func contains(_ text: String) -> Bool {
    bytes.range(of: Data(text.utf8)) != nil
  }

  /// Returns true if the two bytes occur at or after `offset`.
  ///
  /// Searches backwards, because they are expected at the end.
  func contains(_ pair: (UInt8, UInt8), from offset: Int) -> Bool {
    guard offset < count else { return false }
    return bytes[(bytes.startIndex + offset)...].range(of: Data([pair.0, pair.1]), options: .backwards) != nil
  }
}

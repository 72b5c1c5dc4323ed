import Foundation

/// Reads numbers out of foreign bytes; what lies outside is nil, never a trap.
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

  func two(_ offset: Int, bigEndian: Bool = true) -> Int? {
    guard let first = byte(offset), let second = byte(offset + 1) else { return nil }
    return bigEndian ? first << 8 | second : second << 8 | first
  }

  func four(_ offset: Int, bigEndian: Bool = true) -> Int? {
    guard let first = two(offset, bigEndian: bigEndian), let second = two(offset + 2, bigEndian: bigEndian) else {
      return nil
    }
    return bigEndian ? first << 16 | second : second << 16 | first
  }

  func hasPrefix(_ text: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset + text.utf8CodeUnitCount <= count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { byte(offset + $0) == Int(text.utf8Start[$0]) }
  }

  /// The part from `offset`, shortened to what there is.
  func part(_ offset: Int, length: Int) -> ByteView {
    guard offset >= 0, offset < count, length > 0 else { return ByteView(Data()) }
    let start = bytes.startIndex + offset
    return ByteView(bytes[start..<(start + min(length, count - offset))])
  }

  func contains(_ text: String) -> Bool {
    bytes.range(of: Data(text.utf8)) != nil
  }

  /// True when the two bytes stand somewhere at or after `offset`; looks from the end, where they are expected.
  func contains(_ pair: (UInt8, UInt8), from offset: Int) -> Bool {
    guard offset < count else { return false }
    return bytes[(bytes.startIndex + offset)...].range(of: Data([pair.0, pair.1]), options: .backwards) != nil
  }
}

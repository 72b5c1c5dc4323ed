import Foundation

/// The orientation and location of an Exif block (EXIF 2.3, TIFF 6.0).
///
/// Malformed entries count as absent.
struct EXIFMetadata {
  private static let orientationTag = 0x0112
  private static let positionTag = 0x8825
  private static let latitudeTag = 0x0002
  private static let longitudeTag = 0x0004
  /// The maximum number of entries read from a directory.
  ///
  /// Cameras write about fifty, whereas a crafted one may declare 65,535.
  private static let maximumEntries = 512
  private static let maximumPositions = 8
  /// The maximum number of blocks read from a file.
  ///
  /// A valid file has one or two.
  static let maximumBlocks = 8

  private(set) var orientation: Orientation?
  private(set) var hasPosition = false

  /// Parses a block that begins with the TIFF header (`II*\0` or `MM\0*`).
  init(_ block: ByteView) {
    let bigEndian: Bool
    switch block.uint32(0) {
    case 0x4949_2A00: bigEndian = false
    case 0x4D4D_002A: bigEndian = true
    case _: return
    }
    guard let start = block.uint32(4, bigEndian: bigEndian) else { return }
    var positions = 0
    for entry in Self.entries(of: block, at: start, bigEndian: bigEndian) {
      let tag = block.uint16(entry, bigEndian: bigEndian)
      if tag == Self.orientationTag, block.uint16(entry + 2, bigEndian: bigEndian) == 3 {
        orientation = block.uint16(entry + 8, bigEndian: bigEndian).flatMap(Orientation.init(rawValue:))
      }
      // Limited, because each may refer to a directory as large as the block.
      if tag == Self.positionTag, !hasPosition, positions < Self.maximumPositions,
        let position = block.uint32(entry + 8, bigEndian: bigEndian)
      {
        positions += 1
        // Cameras without a GPS fix write the directory with only its version.
        hasPosition = Self.entries(of: block, at: position, bigEndian: bigEndian).contains { entry in
          let tag = block.uint16(entry, bigEndian: bigEndian)
          return tag == Self.latitudeTag || tag == Self.longitudeTag
        }
      }
    }
  }

  /// Returns the offsets of the first entries of a directory.
  ///
  /// Linked directories are not followed, so a cycle of them has no effect.
  private static func entries(of block: ByteView, at start: Int, bigEndian: Bool) -> [Int] {
    guard let said = block.uint16(start, bigEndian: bigEndian) else { return [] }
    let room = max(0, block.count - start - 2) / 12
    return (0..<min(said, room, maximumEntries)).map { start + 2 + $0 * 12 }
  }
}

/// The orientation of a stored picture (EXIF 2.3, tag 0x0112), named after the transformation that displays it.
package enum Orientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  case mirrored
  case upsideDown
  case flipped
  case transposed
  case rotatedRight
  case transversed
  case rotatedLeft

  /// Indicates whether width and height are swapped.
  package var swapsSides: Bool {
    switch self {
    case .upright, .mirrored, .upsideDown, .flipped: false
    case .transposed, .rotatedRight, .transversed, .rotatedLeft: true
    }
  }
}

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

  /// Moves `offset` after the next JPEG marker within the data of a scan, where 0xFF before 0x00 or 0xFF is none, and returns it.
  func nextMarker(_ offset: inout Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      while offset >= 0, offset + 1 < count {
        guard let found = memchr(bytes.baseAddress! + offset, 0xFF, count - offset - 1) else { break }
        offset = UnsafeRawPointer(found) - bytes.baseAddress! + 1
        let next = bytes[offset]
        guard next != 0, next != 0xFF else { continue }
        offset += 1
        return Int(next)
      }
      return nil
    }
  }

  /// Returns true if the two bytes occur at or after `offset`.
  ///
  /// Searches backwards, because they are expected at the end.
  func contains(_ pair: (UInt8, UInt8), from offset: Int) -> Bool {
    guard offset < count else { return false }
    return bytes[(bytes.startIndex + offset)...].range(of: Data([pair.0, pair.1]), options: .backwards) != nil
  }
}

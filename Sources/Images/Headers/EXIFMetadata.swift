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

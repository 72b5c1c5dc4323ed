/// The two things an EXIF block is asked for (EXIF 2.3, TIFF 6.0); whatever is malformed counts as not said.
struct ExifFacts {
  private static let orientationTag = 0x0112
  private static let positionTag = 0x8825
  private static let latitudeTag = 0x0002
  private static let longitudeTag = 0x0004
  /// Cameras write some fifty; a directory that says it has 65,535 would hold us for nothing.
  private static let mostEntries = 512
  private static let mostPositions = 8
  /// Of a file; a sound one has one or two.
  static let mostBlocks = 8

  private(set) var orientation: Orientation?
  private(set) var hasPosition = false

  /// `block` begins with the TIFF header (`II*\0` or `MM\0*`).
  init(_ block: ByteView) {
    let bigEndian: Bool
    switch block.four(0) {
    case 0x4949_2A00: bigEndian = false
    case 0x4D4D_002A: bigEndian = true
    case _: return
    }
    guard let start = block.four(4, bigEndian: bigEndian) else { return }
    var positions = 0
    for entry in Self.entries(of: block, at: start, bigEndian: bigEndian) {
      let tag = block.two(entry, bigEndian: bigEndian)
      if tag == Self.orientationTag, block.two(entry + 2, bigEndian: bigEndian) == 3 {
        orientation = block.two(entry + 8, bigEndian: bigEndian).flatMap(Orientation.init(rawValue:))
      }
      // A few at most: each may lead to a directory of the whole block.
      if tag == Self.positionTag, !hasPosition, positions < Self.mostPositions,
        let position = block.four(entry + 8, bigEndian: bigEndian)
      {
        positions += 1
        // Cameras without a fix write the directory with nothing but its version in it.
        hasPosition = Self.entries(of: block, at: position, bigEndian: bigEndian).contains { entry in
          let tag = block.two(entry, bigEndian: bigEndian)
          return tag == Self.latitudeTag || tag == Self.longitudeTag
        }
      }
    }
  }

  /// Offsets of the directory's first entries; directories are not followed on, so a loop of them cannot hold us.
  private static func entries(of block: ByteView, at start: Int, bigEndian: Bool) -> [Int] {
    guard let said = block.two(start, bigEndian: bigEndian) else { return [] }
    let room = max(0, block.count - start - 2) / 12
    return (0..<min(said, room, mostEntries)).map { start + 2 + $0 * 12 }
  }
}

/// How a stored picture is to be turned before it is shown (EXIF 2.3, tag 0x0112); named by what the turning does.
package enum Orientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  case mirrored
  case upsideDown
  case flipped
  case transposed
  case turnRight
  case transversed
  case turnLeft

  /// True when width and height change places.
  package var swapsSides: Bool {
    switch self {
    case .upright, .mirrored, .upsideDown, .flipped: false
    case .transposed, .turnRight, .transversed, .turnLeft: true
    }
  }
}

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

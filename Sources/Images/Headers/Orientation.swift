import Foundation

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

import Foundation

/// A picture that may be sent, and what was done to it, so that it can be said.
package struct FittedPicture: Hashable, Sendable {
  package var bytes: Data
  package var format: PictureFormat
  /// Pixels, as a viewer shows them.
  package var width: Int
  package var height: Int
  /// Bytes of the file it was made from.
  package var originalSize: Int
  /// False when the bytes are the file's own, one for one.
  package var wasReencoded: Bool
  /// True when the file told where it was taken. Re-encoding drops that; bytes sent untouched still tell.
  package var hadPosition: Bool
}

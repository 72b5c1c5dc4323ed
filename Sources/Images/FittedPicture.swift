import Foundation

/// A picture that may be sent, and the changes made to it, so that they can be reported.
package struct FittedPicture: Hashable, Sendable {
  package var bytes: Data
  package var format: PictureFormat
  /// The width in pixels as displayed.
  package var width: Int
  package var height: Int
  /// The size of the original file in bytes.
  package var originalSize: Int
  /// False if the bytes are those of the original file.
  package var wasReencoded: Bool
  /// Indicates whether the original contained a GPS location.
  ///
  /// Such a file is never sent unchanged, and the result contains none.
  package var hadGPSLocation: Bool
  /// Indicates whether the picture was rotated according to its orientation.
  package var wasRotated = false
  /// The original format if it was converted, or `nil` for a JPEG or PNG.
  package var originalFormat: ConvertibleFormat?
}

import Foundation

/// An encoded picture and its dimensions.
struct Encoded {
  let bytes: Data
  let width: Int
  let height: Int

  init(_ bitmap: Bitmap, _ bytes: Data) {
    self.bytes = bytes
    width = bitmap.width
    height = bitmap.height
  }
}

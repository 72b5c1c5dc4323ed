import Foundation

/// Bytes of a picture with the size they show.
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

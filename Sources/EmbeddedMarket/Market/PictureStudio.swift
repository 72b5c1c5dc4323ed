import Foundation
import Pictures

/// Makes the pictures of the sample market when they are first asked for, and thumbnails of those that are sent; one at a time, so
/// that a page full of pictures does not take the machine.
actor PictureStudio {
  static let originSide = 640
  static let thumbnailSide = 240

  /// The bytes of a picture: those that were kept, or drawn now and kept. Nil when it is gone.
  func bytes(of picture: PictureRow, _ size: PictureSize, in store: Store) async throws -> Data? {
    if let kept = try await store.read({ try picture.bytes(size, in: $0) }) { return kept }
    guard let motif = picture.motif else { return nil }
    let drawn = try SamplePictures.draw(motif, palette: picture.palette, side: side(size)).jpeg(quality: 85)
    // It can be drawn again: that it cannot be kept is no reason not to show it.
    try? await store.write { try picture.keep(drawn, as: size, in: $0) }
    return drawn
  }

  /// A thumbnail, or the bytes themselves when they are no picture we can read: the real server took anything.
  func thumbnail(of bytes: Data) -> Data {
    (try? Thumbnail.make(bytes, side: PictureStudio.thumbnailSide)) ?? bytes
  }

  private func side(_ size: PictureSize) -> Int {
    switch size {
    case .origin: PictureStudio.originSide
    case .thumb: PictureStudio.thumbnailSide
    }
  }
}

/// Draws the things of the sample market.
enum SamplePictures {
  /// The same motif and palette draw the same picture; an unknown motif is a mug.
  static func draw(_ motif: String, palette: UInt64, side: Int) -> Bitmap {
    ProductArt.draw(Motif(rawValue: motif) ?? .mug, palette: palette, side: side)
  }
}

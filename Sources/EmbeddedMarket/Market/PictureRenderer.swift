import Foundation
import Images

/// Draws the pictures of the sample market when they are first requested, and makes thumbnails of uploaded ones.
///
/// It handles one at a time, so that a page of pictures does not use all processors.
actor PictureRenderer {
  static let originSide = 640
  static let thumbnailSide = 240

  /// Returns the bytes of a picture, stored or drawn now; `nil` if they do not exist.
  func bytes(of picture: PictureRow, _ size: PictureSize, in store: Store) async throws -> Data? {
    if let stored = try await store.read({ try picture.bytes(size, in: $0) }) { return stored }
    guard let motif = picture.motif else { return nil }
    let drawn = try SamplePictureRenderer.draw(motif, palette: picture.palette, side: side(size)).jpeg(quality: 85)
    // The picture can be drawn again, so a failure to store it is ignored.
    try? await store.write { try picture.store(drawn, as: size, in: $0) }
    return drawn
  }

  /// Returns a thumbnail, or the bytes themselves if they are not a readable picture: the real server accepted
  /// anything.
  func thumbnail(of bytes: Data) -> Data {
    (try? Thumbnail.make(bytes, side: PictureRenderer.thumbnailSide)) ?? bytes
  }

  private func side(_ size: PictureSize) -> Int {
    switch size {
    case .original: PictureRenderer.originSide
    case .thumb: PictureRenderer.thumbnailSide
    }
  }
}

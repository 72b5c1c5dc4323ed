import Foundation
import Images
import Synchronization

/// Draws the pictures of the sample market when they are first requested, and makes thumbnails of uploaded ones.
///
/// Both happen on threads of their own, so that nobody else waits.
final class PictureRenderer: Sendable {
  static let originSide = 640
  static let thumbnailSide = 240
  /// The maximum number of pixels of an uploaded picture that is decoded for a thumbnail.
  private let maximumPixelCount: Int

  private struct Drawing: Hashable {
    var picture: Int64
    var size: PictureSize
  }

  /// The drawings that are being made, so that requests for the same picture share one.
  private let drawings = Mutex<[Drawing: Task<Data, any Error>]>([:])

  /// Creates a renderer.
  ///
  /// - Parameter maximumPixelCount: The maximum number of pixels to decode; 20 megapixels take 80 MB.
  init(maximumPixelCount: Int = 20_000_000) { self.maximumPixelCount = maximumPixelCount }

  /// Returns the bytes of a picture, stored or drawn now; `nil` if they do not exist.
  func bytes(of picture: PictureRow, _ size: PictureSize, in store: Store) async throws -> Data? {
    if let stored = try await store.read({ try picture.bytes(size, in: $0) }) { return stored }
    guard let motif = picture.motif else {
      return size == .original ? nil : try await store.read { try picture.bytes(.original, in: $0) }
    }
    let drawing = Drawing(picture: picture.id, size: size)
    let side = side(size)
    let task = drawings.withLock { drawings in
      if let task = drawings[drawing] { return task }
      let task = Task {
        defer { self.drawings.withLock { $0[drawing] = nil } }
        let drawn = try await BackgroundThreads.drawings.run {
          try SamplePictureRenderer.draw(motif, palette: picture.palette, side: side).jpeg(quality: 85)
        }
        // The picture can be drawn again, so a failure to store it is ignored.
        try? await store.write { try picture.store(drawn, as: size, in: $0) }
        return drawn
      }
      drawings[drawing] = task
      return task
    }
    return try await task.value
  }

  /// Returns a thumbnail, or the bytes themselves if they are not a readable picture or have more than
  /// `maximumPixelCount` pixels: the real server accepted anything.
  func thumbnail(of bytes: Data) async throws -> Data {
    try await BackgroundThreads.uploads.run { [maximumPixelCount] in
      guard let header = try? PictureHeader.read(bytes), header.storedWidth <= maximumPixelCount / header.storedHeight
      else { return bytes }
      return (try? Thumbnail.make(bytes, side: PictureRenderer.thumbnailSide)) ?? bytes
    }
  }

  private func side(_ size: PictureSize) -> Int {
    switch size {
    case .original: PictureRenderer.originSide
    case .thumb: PictureRenderer.thumbnailSide
    }
  }
}

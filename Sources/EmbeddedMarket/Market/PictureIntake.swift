import Foundation
import Images
import Synchronization

/// Converts the file parts of a form to pictures with thumbnails.
struct PictureIntake: Sendable {
  let server: ServerDependencies

  /// Returns the pictures with thumbnails, made in turn with those of other clients.
  ///
  /// - Throws: `MarketHTTPError` for a picture that the rules forbid, and `ClientLeft`.
  func pictures(_ parts: [MultipartBody.Part], of call: RequestContext) async throws -> [NewPicture] {
    try server.rules.checkPictureCount(parts.count)
    for part in parts { try server.rules.check(picture: part.content) }
    var pictures: [NewPicture] = []
    for part in parts {
      let studio = server.studio
      let thumbnail = try await call.upload { studio.thumbnail(of: part.content) }
      pictures.append(
        NewPicture(
          origin: server.identifier().hexString, thumb: server.identifier().hexString,
          fileExtension: PictureFileName.fileExtension(of: part.fileName ?? ""),
          content: .sent(part.content, thumbnail: thumbnail)))
    }
    return pictures
  }
}

/// Serves pictures by the file name in their URL.
struct PictureDelivery: Sendable {
  let server: ServerDependencies
  /// Indicates a store of 2021, where a picture became available a second late.
  var isSlow = false

  func response(_ file: String, size: (String) -> PictureSize) async throws -> MarketResponse {
    guard let key = PictureFileName.key(in: file) else { throw MarketHTTPError(404, "No picture \(file)") }
    let size = size(file)
    let picture = try await server.store.read { try PictureRow.find(key: key, in: $0) }
    if let picture, isSlow, server.quirks.isLate(picture, at: server.clock()) {
      throw MarketHTTPError(404, "No picture \(file)")
    }
    guard let picture, let bytes = try await server.studio.bytes(of: picture, size, in: server.store) else {
      throw MarketHTTPError(404, "No picture \(file)")
    }
    return .picture(bytes, type: PictureFormat.detect(bytes)?.mediaType ?? "application/octet-stream")
  }
}

/// Parses picture file names: the key and the extension.
enum PictureFileName {
  /// Returns the 32 hexadecimal digits of a file name such as `951468774f1a11eda200afcab21bff61_origin.jpg`; hyphens
  /// and case are ignored.
  static func key(in fileName: String) -> String? {
    let digits = fileName.lowercased().filter { $0 != "-" }.prefix(32)
    return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? String(digits) : nil
  }

  /// Returns the extension of a file including the period, or "" if there is none or it is not alphanumeric.
  static func fileExtension(of fileName: String) -> String {
    let file = fileName.split { $0 == "/" || $0 == "\\" }.last ?? ""
    guard let point = file.lastIndex(of: ".") else { return "" }
    let word = file[file.index(after: point)...]
    let isPlain =
      (1...5).contains(word.utf8.count)
      && word.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      }
    return isPlain ? "." + word : ""
  }
}

/// Draws the pictures of the sample market when they are first requested, and makes thumbnails of uploaded ones.
///
/// Drawing happens on a thread of its own, so that no other request waits.
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
          try SamplePictureRenderer.jpeg(motif, palette: picture.palette, side: side)
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

  /// Returns a thumbnail, or the bytes themselves if they are not a readable picture or one that takes long to decode: the real
  /// server accepted anything.
  ///
  /// A picture takes long that has more than `maximumPixelCount` pixels, or more than ten times as many in all of its scans.
  func thumbnail(of bytes: Data) -> Data {
    guard let header = try? PictureHeader.read(bytes), header.storedWidth <= maximumPixelCount / header.storedHeight,
      header.storedWidth * header.storedHeight <= maximumPixelCount * PictureRenderer.usualScanCount / header.scanCount
    else { return bytes }
    return (try? Thumbnail.make(bytes, side: PictureRenderer.thumbnailSide)) ?? bytes
  }

  /// The number of scans that the usual encoders write for a progressive JPEG.
  private static let usualScanCount = 10

  private func side(_ size: PictureSize) -> Int {
    switch size {
    case .original: PictureRenderer.originSide
    case .thumb: PictureRenderer.thumbnailSide
    }
  }
}

/// Draws the products of the sample market.
enum SamplePictureRenderer {
  /// Returns the picture of a motif, which depends only on the parameters.
  ///
  /// An unknown motif is a mug.
  static func draw(_ motif: String, palette: UInt64, side: Int) -> Bitmap {
    ProductArt.draw(Subject(rawValue: motif) ?? .mug, palette: palette, side: side)
  }

  private struct Drawing: Hashable {
    var motif: String
    var palette: UInt64
    var side: Int
  }

  /// The drawn pictures, which the markets of one process share. All are removed when there are `maximumCount`, some 4 MB.
  private static let drawn = Mutex<[Drawing: Data]>([:])
  private static let maximumCount = 256

  /// Returns the picture as a JPEG file.
  ///
  /// - Throws: `PictureError`.
  static func jpeg(_ motif: String, palette: UInt64, side: Int) throws(PictureError) -> Data {
    let drawing = Drawing(motif: motif, palette: palette, side: side)
    if let known = drawn.withLock({ $0[drawing] }) { return known }
    let bytes = try draw(motif, palette: palette, side: side).jpeg(quality: 85)
    drawn.withLock { drawn in
      if drawn.count >= maximumCount { drawn.removeAll() }
      drawn[drawing] = bytes
    }
    return bytes
  }
}

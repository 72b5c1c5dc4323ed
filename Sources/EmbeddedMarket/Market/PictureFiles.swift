import Foundation
import Pictures

/// Turns the file parts of a form into pictures to be kept, thumbnails made.
struct PictureIntake: Sendable {
  let server: ServerDependencies

  func take(_ parts: [MultipartBody.Part]) async throws -> [NewPicture] {
    try server.rules.checkPictureCount(parts.count)
    for part in parts { try server.rules.check(picture: part.content) }
    var pictures: [NewPicture] = []
    for part in parts {
      let thumbnail = await server.studio.thumbnail(of: part.content)
      pictures.append(
        NewPicture(
          origin: server.identifier().compact, thumb: server.identifier().compact,
          fileExtension: PictureKeys.fileExtension(of: part.fileName ?? ""),
          content: .sent(part.content, thumbnail: thumbnail)))
    }
    return pictures
  }
}

/// Hands out pictures by the file name in their address.
struct PictureDelivery: Sendable {
  let server: ServerDependencies
  /// The stores of 2021 had a picture a second late.
  var isSlow = false

  func answer(_ file: String, size: (String) -> PictureSize) async throws -> Answer {
    guard let key = PictureKeys.key(in: file) else { throw Refusal(404, "No picture \(file)") }
    let size = size(file)
    let picture = try await server.store.read { try PictureRow.find(key: key, in: $0) }
    if let picture, isSlow, server.quirks.isLate(picture, at: server.clock()) {
      throw Refusal(404, "No picture \(file)")
    }
    guard let picture, let bytes = try await server.studio.bytes(of: picture, size, in: server.store) else {
      throw Refusal(404, "No picture \(file)")
    }
    return .picture(bytes, type: PictureFormat.detect(bytes)?.mediaType ?? "application/octet-stream")
  }
}

/// The parts of a picture's address: which picture, and which of its sizes.
enum PictureKeys {
  /// The 32 hex digits in a file name such as `951468774f1a11eda200afcab21bff61_origin.jpg`; dashes and case do not matter.
  static func key(in fileName: String) -> String? {
    let digits = fileName.lowercased().filter { $0 != "-" }.prefix(32)
    return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? String(digits) : nil
  }

  /// The extension of a sent file with its point; empty when there is none or it is no plain word.
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

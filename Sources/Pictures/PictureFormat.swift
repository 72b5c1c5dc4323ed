import Foundation

/// The two kinds of picture the market takes; told by their first bytes, because a file's name proves nothing.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png

  /// Nil when the bytes begin like neither.
  package static func detect(_ bytes: Data) -> PictureFormat? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    return nil
  }

  package var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    }
  }

  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    }
  }
}

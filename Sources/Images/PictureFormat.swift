import Foundation
import Glibc

/// The two formats that a market accepts, detected by their first bytes, because a file name proves nothing.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png

  /// Detects the format, or returns `nil` for any other.
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

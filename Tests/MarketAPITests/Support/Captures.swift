import Foundation

/// The captured responses of the real servers.
enum Captures {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Captures")

  static func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }
}

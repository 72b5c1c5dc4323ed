import Foundation

/// A fresh folder for one run of the program, gone when the test is over.
final class TemporaryHome: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "openmarket-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it, written when there is something to write.
  func file(_ name: String, _ bytes: [UInt8]? = nil) throws -> String {
    let file = path + "/" + name
    if let bytes { try Data(bytes).write(to: URL(filePath: file)) }
    return file
  }

  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

  /// Makes the program's home in it one that was greeted before, so that the first prompt stands alone.
  func markGreeted() throws {
    try FileManager.default.createDirectory(atPath: path + "/home/state", withIntermediateDirectories: true)
    _ = try file("home/state/greeted", "")
  }

  /// Every regular file under it, with its bytes.
  func files() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      var isFolder: ObjCBool = false
      let file = path + "/" + name
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      found[name] = try Data(contentsOf: URL(filePath: file))
    }
    return found
  }
}

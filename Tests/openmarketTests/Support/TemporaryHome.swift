import Foundation

/// A temporary folder for one run of the program, deleted with the object.
final class TemporaryHome: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "openmarket-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of a file in the folder, and writes the file if bytes are given.
  func file(_ name: String, _ bytes: [UInt8]? = nil) throws -> String {
    let file = path + "/" + name
    if let bytes { try Data(bytes).write(to: URL(filePath: file)) }
    return file
  }

  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

  /// Marks the program's home as greeted, so that there is no greeting before the first prompt.
  func markGreeted() throws {
    try FileManager.default.createDirectory(atPath: path + "/home/state", withIntermediateDirectories: true)
    _ = try file("home/state/greeted", "")
  }

  /// Returns every regular file in the folder with its bytes.
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

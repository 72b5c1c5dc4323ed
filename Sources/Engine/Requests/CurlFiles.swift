import Foundation
import Language
import Platform
import Text

/// Where curl finds the files of a form: the user's own when they are sent as they are, copies otherwise.
package struct CurlFiles: Sendable {
  private let candidates: [String]
  private let folder: String
  private let freshName: @Sendable () -> String

  /// - Parameters:
  ///   - candidates: paths that may hold the very bytes.
  ///   - folder: where copies are kept.
  package init(candidates: [String], folder: String, freshName: @escaping @Sendable () -> String) {
    self.candidates = candidates
    self.folder = folder
    self.freshName = freshName
  }

  /// Every file that the line names.
  package init(_ invocation: Invocation, _ context: Context) {
    let values = invocation.assignments.map(\.value) + invocation.arguments.values.flatMap { $0.map(\.text) }
    let paths = values.flatMap { $0.split(separator: ",").map { $0.trimmed } }.map { path in
      let plain = path.hasPrefix("@") ? String(path.dropFirst()) : path
      let full = Paths.expanded(plain, home: context.environment["HOME"])
      return full.hasPrefix("/") ? full : FileManager.default.currentDirectoryPath + "/" + full
    }
    self.init(candidates: paths, folder: context.home.cache + "/curl", freshName: context.freshName)
  }

  package func path(of bytes: Data, named name: String) throws -> String {
    for path in candidates {
      if let found = try? Files.read(path), found == bytes { return path }
    }
    try Files.makeFolder(folder)
    let path = folder + "/" + freshName() + "-" + name
    try Files.write(bytes, to: path, mode: 0o600)
    return path
  }
}

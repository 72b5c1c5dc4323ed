import CommandLanguage
import Foundation
import Platform
import ShellRuntime
import Text

/// The files of a form for curl: the user's own if they are sent unchanged, otherwise copies.
package struct FormFileLocator: Sendable {
  private let candidates: [String]
  private let folder: String
  private let freshName: @Sendable () -> String

  /// Creates a file provider.
  ///
  /// - Parameters:
  ///   - candidates: The paths of files that may have the same content.
  ///   - folder: The folder for copies.
  ///   - freshName: Creates a unique file name.
  package init(candidates: [String], folder: String, freshName: @escaping @Sendable () -> String) {
    self.candidates = candidates
    self.folder = folder
    self.freshName = freshName
  }

  /// Creates a file provider with all files named in the line.
  package init(_ invocation: ParsedCommand, _ context: CommandContext) {
    let values = invocation.assignments.map(\.value) + invocation.arguments.values.flatMap { $0.map(\.text) }
    let paths = values.flatMap { $0.split(separator: ",").map { $0.trimmed } }.map { path in
      let plain = path.hasPrefix("@") ? String(path.dropFirst()) : path
      let full = Paths.expanded(plain, home: context.environment["HOME"])
      return full.hasPrefix("/") ? full : FileManager.default.currentDirectoryPath + "/" + full
    }
    self.init(candidates: paths, folder: context.home.cache + "/curl", freshName: context.freshName)
  }

  /// Returns the path of a file with this content.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The file name for a copy.
  /// - Returns: The path.
  /// - Throws: `FileError` if there is no such file and a copy can't be written.
  package func path(of bytes: Data, named name: String) throws -> String {
    for path in candidates {
      if let found = try? Files.read(path), found == bytes { return path }
    }
    try Files.createDirectory(folder)
    let path = folder + "/" + freshName() + "-" + name
    try Files.write(bytes, to: path, mode: 0o600)
    return path
  }
}

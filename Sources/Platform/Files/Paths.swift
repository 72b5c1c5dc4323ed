import Foundation

/// Operations on paths as users type them.
package enum Paths {
  /// Returns the path with a leading `~` replaced by the home folder, in the normalization form of the existing file.
  package static func expanded(_ path: String, home: String?) -> String {
    guard let home, path == "~" || path.hasPrefix("~/") else { return existing(path) }
    return existing(home + path.dropFirst())
  }

  /// Returns a path, which is relative to the folder of a file unless it is absolute, in the normalization form of the
  /// existing file.
  package static func resolved(_ path: String, besideFile file: String) -> String {
    let folder = parent(of: file)
    return existing(path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path)
  }

  /// Returns the path of the file or folder whose name is canonically equivalent, if there is none with the exact name.
  ///
  /// File systems of Linux compare bytes, but names from macOS are often decomposed (한 as ㅎㅏㄴ) and typed ones composed.
  /// A path that doesn't exist in any form stays as it was typed.
  package static func existing(_ path: String) -> String {
    guard path.utf8.contains(where: { $0 >= 0x80 }), !exists(path) else { return path }
    var found = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
    var rest = path.unicodeScalars.split(separator: "/").map { String($0) }[...]
    while let part = rest.first {
      var next = found + part
      if !exists(next) {
        // Swift compares strings by canonical equivalence.
        guard let name = (try? Files.names(in: found.isEmpty ? "." : found))?.first(where: { $0 == part }) else {
          break
        }
        next = found + name
      }
      rest = rest.dropFirst()
      found = rest.isEmpty ? next : next + "/"
    }
    return found + rest.joined(separator: "/")
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns the folder that contains a path, or an empty string for a bare file name.
  ///
  /// Foundation's `deletingLastPathComponent` crashes for a path of one character.
  package static func parent(of path: String) -> String {
    var scalars = path.unicodeScalars[...]
    while scalars.count > 1, scalars.last == "/" { scalars.removeLast() }
    guard let slash = scalars.lastIndex(of: "/") else { return "" }
    var folder = scalars[..<slash]
    while folder.count > 1, folder.last == "/" { folder.removeLast() }
    return folder.isEmpty ? "/" : String(folder)
  }
}

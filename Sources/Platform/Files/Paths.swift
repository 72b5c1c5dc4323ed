/// Operations on paths as users type them.
package enum Paths {
  /// Returns the path with a leading `~` replaced by the home folder.
  package static func expanded(_ path: String, home: String?) -> String {
    guard let home, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }

  /// Returns a path, which is relative to the folder of a file unless it is absolute.
  package static func resolved(_ path: String, besideFile file: String) -> String {
    let folder = parent(of: file)
    return path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
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

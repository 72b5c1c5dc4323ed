/// Paths as people type them.
package enum Paths {
  /// `~/x` is in the home folder.
  package static func expanded(_ path: String, home: String?) -> String {
    guard let home, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }

  /// The folder a path lies in: empty for a bare name, which lies in the working folder.
  ///
  /// Foundation's own `deletingLastPathComponent` ends the process for a path of one letter.
  package static func parent(of path: String) -> String {
    var scalars = path.unicodeScalars[...]
    while scalars.count > 1, scalars.last == "/" { scalars.removeLast() }
    guard let slash = scalars.lastIndex(of: "/") else { return "" }
    var folder = scalars[..<slash]
    while folder.count > 1, folder.last == "/" { folder.removeLast() }
    return folder.isEmpty ? "/" : String(folder)
  }
}

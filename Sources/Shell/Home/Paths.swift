/// Paths as people type them.
package enum Paths {
  /// `~/x` is in the home folder.
  package static func expanded(_ path: String, home: String?) -> String {
    guard let home, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
  }
}

import Foundation

/// Completion of paths.
///
/// Folders end with a slash.
package enum PathCompletion {
  package static func files(_ typed: String, home: String?) -> [String] {
    let slash = typed.lastIndex(of: "/")
    let folder = slash.map { String(typed[...$0]) } ?? ""
    let beginning = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
    let directory = Paths.expanded(folder.isEmpty ? "." : folder, home: home)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return [] }
    return names.filter { $0.hasPrefix(beginning) && (beginning.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
      .prefix(1000).map { name in
        var status = stat()
        let isFolder = stat(directory + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        return folder + name + (isFolder ? "/" : "")
      }
  }

  /// Returns the programs in the folders of `path`, a value of the variable `PATH`, that begin with the given text.
  package static func programs(_ typed: String, path: String?) -> [String] {
    let folders = (path ?? "").split(separator: ":").map(String.init)
    let names = folders.flatMap { folder -> [String] in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
        $0.hasPrefix(typed) && access(folder + "/" + $0, X_OK) == 0
      }
    }
    return Set(names).sorted()
  }
}

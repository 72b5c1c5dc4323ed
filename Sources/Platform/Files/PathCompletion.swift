import Foundation

/// Completion of paths.
///
/// Folders end with a slash.
package enum PathCompletion {
  package static func files(_ typed: String, home: String?) -> [String] {
    let slash = typed.lastIndex(of: "/")
    let folder = slash.map { String(typed[...$0]) } ?? ""
    let beginning = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
    let place = Paths.expanded(folder.isEmpty ? "." : folder, home: home)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else { return [] }
    return names.filter { $0.hasPrefix(beginning) && (beginning.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
      .prefix(1000).map { name in
        var status = stat()
        let isFolder = stat(place + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        return folder + name + (isFolder ? "/" : "")
      }
  }
}

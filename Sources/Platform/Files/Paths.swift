import Foundation
import Text

/// Operations on paths as users type them.
package enum Paths {
  /// Returns the path with a leading `~` replaced by the home folder.
  package static func expanded(_ path: String, home: String?) -> String {
    guard let home, path == "~" || path.hasPrefix("~/") else { return path }
    return home + path.dropFirst()
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

/// The state of the file system at a path that will be written to.
package struct WriteDestination {
  /// The real path: symbolic links are resolved unless another user created them.
  package let path: String
  /// The mode of the existing file, or `nil` if there is none.
  package let mode: mode_t?
  /// Indicates a device, a FIFO or a socket, which is written to and never replaced.
  package let isSpecialFile: Bool
  /// The reason why the path is not writable as an `errno`, or 0.
  package let errorCode: Int32

  /// Indicates a regular file or a path without a file.
  package var isWritable: Bool { !isSpecialFile && errorCode == 0 }

  package init(_ path: String) {
    var status = stat()
    self.path = WriteDestination.resolvedLink(path) ?? path
    guard stat(self.path, &status) == 0 else {
      (mode, isSpecialFile, errorCode) = (nil, false, 0)
      return
    }
    mode = status.st_mode & 0o777
    let kind = status.st_mode & S_IFMT
    isSpecialFile = kind != S_IFREG && kind != S_IFDIR
    errorCode = kind == S_IFDIR ? EISDIR : access(self.path, W_OK) == 0 ? 0 : errno
  }

  /// Resolves a link; returns `nil` for anything else, for a broken link, and for one that another user created, as is
  /// possible in `/tmp`.
  private static func resolvedLink(_ path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, [geteuid(), 0].contains(status.st_uid),
      let real = realpath(path, nil)
    else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

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

/// A cache of pictures on disk by URL, limited in size; the least recently used are deleted first.
///
/// A missing entry only costs a request.
package struct PictureDiskCache: Sendable {
  private let path: String
  private let limit: Int

  /// Creates a cache of at most `limit` bytes in total.
  package init(_ path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Returns a cached picture.
  ///
  /// The file contains the URL, so that pictures with the same hash are not confused.
  package func read(_ url: URL) -> Data? {
    let file = path + "/" + PictureDiskCache.name(url)
    guard let data = try? Files.read(file), let end = data.firstIndex(of: 0x0A),
      String(decoding: data[..<end], as: UTF8.self) == url.absoluteString
    else { return nil }
    utimes(file, nil)
    return Data(data[data.index(after: end)...])
  }

  /// Stores a picture.
  ///
  /// Failures are ignored.
  package func write(_ data: Data, for url: URL) {
    guard data.count <= limit / 4 else { return }
    try? Files.createDirectory(path)
    try? Files.write(
      Data((url.absoluteString + "\n").utf8) + data, to: path + "/" + PictureDiskCache.name(url), mode: 0o600)
    trim()
  }

  private func trim() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    var files = names.compactMap { name -> (path: String, size: Int, used: Int)? in
      var facts = stat()
      guard stat(path + "/" + name, &facts) == 0 else { return nil }
      return (path + "/" + name, Int(facts.st_size), facts.st_mtim.tv_sec)
    }.sorted { $0.used > $1.used }
    var sum = files.reduce(0) { $0 + $1.size }
    while sum > limit, let oldest = files.popLast() {
      unlink(oldest.path)
      sum -= oldest.size
    }
  }

  /// Two hashes of the address with different offset bases.
  private static func name(_ url: URL) -> String {
    var second = FNV1a(offsetBasis: 0x9E37_79B9_7F4A_7C15)
    second.combine(url.absoluteString)
    return FNV1a(url.absoluteString).hex + second.hex
  }
}

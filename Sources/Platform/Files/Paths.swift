import Foundation

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

/// What is there where a file shall be written.
package struct FilePlace {
  /// Where the file really is: behind a link, unless somebody else has put that there.
  package let path: String
  /// Of the file that is there; nil when there is none.
  package let mode: mode_t?
  /// A device, a FIFO or a socket: it is written to and never replaced.
  package let isStream: Bool
  /// Why nothing can be written there, as an `errno`; 0 for no reason.
  package let problem: Int32

  /// A file, or nothing yet.
  package var isWritable: Bool { !isStream && problem == 0 }

  package init(_ path: String) {
    var status = stat()
    self.path = FilePlace.behindLink(path) ?? path
    guard stat(self.path, &status) == 0 else {
      (mode, isStream, problem) = (nil, false, 0)
      return
    }
    mode = status.st_mode & 0o777
    let kind = status.st_mode & S_IFMT
    isStream = kind != S_IFREG && kind != S_IFDIR
    problem = kind == S_IFDIR ? EISDIR : access(self.path, W_OK) == 0 ? 0 : errno
  }

  /// Nil for what is no link, leads nowhere, or was put there by somebody else, as one can in `/tmp`.
  private static func behindLink(_ path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, [geteuid(), 0].contains(status.st_uid),
      let real = realpath(path, nil)
    else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// Paths that begin with what was typed; folders end with a slash.
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

/// Pictures on disk, keyed by their address: bounded, the longest unused leave first. Losing one costs a request.
package struct PictureFolder: Sendable {
  private let path: String
  private let limit: Int

  /// - Parameter limit: bytes of all pictures together.
  package init(_ path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// The address stands in the file, so that two of one name are never taken for each other.
  package func read(_ url: URL) -> Data? {
    let file = path + "/" + PictureFolder.name(url)
    guard let data = try? Files.read(file), let end = data.firstIndex(of: 0x0A),
      String(decoding: data[..<end], as: UTF8.self) == url.absoluteString
    else { return nil }
    utimes(file, nil)
    return Data(data[data.index(after: end)...])
  }

  /// Keeps a picture where that is possible.
  package func write(_ data: Data, for url: URL) {
    guard data.count <= limit / 4 else { return }
    try? Files.makeFolder(path)
    try? Files.write(
      Data((url.absoluteString + "\n").utf8) + data, to: path + "/" + PictureFolder.name(url), mode: 0o600)
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

  /// FNV-1a over the address, twice with different beginnings.
  private static func name(_ url: URL) -> String {
    func hash(_ start: UInt64) -> String {
      let value = url.absoluteString.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return hash(0xCBF2_9CE4_8422_2325) + hash(0x9E37_79B9_7F4A_7C15)
  }
}

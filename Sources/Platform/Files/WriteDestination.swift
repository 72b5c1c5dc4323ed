import Foundation

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

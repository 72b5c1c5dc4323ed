import Foundation

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

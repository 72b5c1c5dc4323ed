import Foundation

/// The kind of file at a path, without following a link.
package enum FileKind: Hashable, Sendable {
  case missing
  case file
  case folder
  case link
  case other

  package init(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      self = .missing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}

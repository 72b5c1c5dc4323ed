import Glibc

/// The kind of a file that is not a regular file.
package enum FileKind: String, Hashable, Sendable {
  case directory, pipe, socket, characterDevice, blockDevice, other
}

/// What stands at a path, when it is something a picture cannot be read from.
package enum FileKind: String, Hashable, Sendable {
  case directory, pipe, socket, characterDevice, blockDevice, other
}

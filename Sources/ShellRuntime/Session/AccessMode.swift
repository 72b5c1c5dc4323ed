/// The permission of a session to write.
package enum AccessMode: String, Hashable, Sendable, CaseIterable {
  case readWrite = "rw"
  case readOnly = "ro"
}

/// Whether a session may write at all.
package enum Access: String, Hashable, Sendable, Codable, CaseIterable {
  case readWrite = "rw"
  case readOnly = "ro"
}

/// Whose keys the fingers know.
package enum Keys: String, Sendable, CaseIterable {
  case emacs, vi
}

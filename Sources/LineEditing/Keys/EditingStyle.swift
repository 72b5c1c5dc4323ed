import CEditLine

/// The key set: emacs or vi.
package enum EditingStyle: String, Sendable, CaseIterable {
  case emacs, vi
}

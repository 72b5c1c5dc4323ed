/// Changes decided together: what is shown before the question is exactly what is written after it.
package struct Plan: Hashable, Sendable, Codable {
  package var changes: [Change]
  package init(_ changes: [Change]) { self.changes = changes }
}

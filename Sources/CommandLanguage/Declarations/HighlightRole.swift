/// The role of a part of a line for highlighting.
package enum HighlightRole: Hashable, Sendable, CaseIterable {
  case command
  case option
  case id
  case field
  case value
  case string
  case comment
  case error
}

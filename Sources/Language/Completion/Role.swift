/// What a stretch of a line is, for painting it while it is typed.
package enum Role: Hashable, Sendable, CaseIterable {
  case command
  case option
  case id
  case field
  case value
  case string
  case comment
  case error
}

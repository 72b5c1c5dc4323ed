import Text

/// One thing a command takes, by place or by word.
package struct Parameter: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// By position: `show 42`.
    case positional(required: Bool)
    /// All remaining bare words: `show 42 name price`, `search blue bag`.
    case rest(required: Bool)
    /// `page 2` or `--page 2` or `--page=2`.
    case option
    /// `all` or `--all`.
    case flag
    /// `field=value`, `field+=n` … in any order, as many as there are.
    case assignments
  }

  /// The option word, or the name shown in help: `TARGET`.
  package var name: String
  package var place: Place
  package var kind: ValueKind
  package var summary: Wording

  package init(_ name: String, _ place: Place, _ kind: ValueKind, _ summary: Wording) {
    self.name = name
    self.place = place
    self.kind = kind
    self.summary = summary
  }
}

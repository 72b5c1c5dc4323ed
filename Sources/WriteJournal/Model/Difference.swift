import Catalog

/// A sent field that isn't read with the wanted value although the write was applied.
package struct Difference: Hashable, Sendable {
  /// The kind of difference.
  package enum Kind: Hashable, Sendable {
    /// The server stores the value in a form of its own: trimmed, truncated, rounded.
    case stored
    /// The field was written again since, or the server made it something else.
    ///
    /// An undo leaves it alone.
    case changed
    /// The field has the wanted value, but another value was read after the write was sent.
    ///
    /// Someone else wrote it at about the same time, so the previous value isn't known and an undo leaves the field
    /// alone. `now` is that other value.
    case concurrent
    /// The field has its previous value: this part of the write wasn't applied.
    case left
    /// The product doesn't exist any more.
    ///
    /// The field is `id`.
    case gone
  }

  package var field: ProductField
  package var kind: Kind
  /// The value that was read last, or `nil` if none was shown.
  package var now: FieldValue?

  package init(_ field: ProductField, _ kind: Kind, now: FieldValue? = nil) {
    self.field = field
    self.kind = kind
    self.now = now
  }

  /// The description for the log.
  var words: String {
    let words =
      switch kind {
      case .stored: "\(field.rawValue) saved as"
      case .changed: "\(field.rawValue) changed since then to"
      case .concurrent: "\(field.rawValue) meanwhile read as"
      case .left: "\(field.rawValue) not applied, still"
      case .gone: "no longer exists"
      }
    return now.map { words + " " + $0.description } ?? words
  }
}

extension [Difference] {
  /// A Boolean value that indicates whether a part of the write wasn't applied.
  package var isPartial: Bool { contains { $0.kind == .left } }
}

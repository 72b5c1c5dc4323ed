import Catalog

/// A sent field that does not read as it was wanted, although the write took effect.
package struct Difference: Hashable, Sendable {
  /// What became of the field.
  package enum Kind: Hashable, Sendable {
    /// The server stores the value in a form of its own: trimmed, cut, rounded.
    case stored
    /// It was written again since, or the server made it something else: an undo leaves it alone.
    case changed
    /// It has its previous value: this part of the write did not take effect.
    case left
    /// The product itself is not there any more; the field is `id`.
    case gone
  }

  package var field: Field
  package var kind: Kind
  /// As it was read last; nil where nothing was shown.
  package var now: FieldValue?

  package init(_ field: Field, _ kind: Kind, now: FieldValue? = nil) {
    self.field = field
    self.kind = kind
    self.now = now
  }

  /// For the log.
  var words: String {
    let value = now.map { " " + $0.description } ?? ""
    return switch kind {
    case .stored: "\(field.rawValue) stored as\(value)"
    case .changed: "\(field.rawValue) changed since to\(value)"
    case .left: "\(field.rawValue) not applied, still\(value)"
    case .gone: "not there any more"
    }
  }
}

extension [Difference] {
  /// A part of the write did not take effect.
  package var isPartial: Bool { contains { $0.kind == .left } }
}

import Catalog

/// The additional information that the journal records with a change.
package struct WriteOrigin: Hashable, Sendable {
  package var intent: Intent?
  /// A Boolean value that indicates that the user wants another product, so that an equal earlier create isn't used
  /// instead.
  package var isAnother: Bool
  /// The write that it undoes.
  var undoes: UndoPlan.Origin?

  package init(_ intent: Intent? = nil, isAnother: Bool = false) {
    self.intent = intent
    self.isAnother = isAnother
  }

  init(undoing undoes: UndoPlan.Origin, line: String?, _ change: Change) {
    self.undoes = undoes
    isAnother = false
    intent = line.map { Intent(line: $0, part: "undo \(undoes.entry)") }
  }
}

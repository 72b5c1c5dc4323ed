import Catalog
import Foundation

/// What makes a change the same as one that was made before, so that a command that is run again has its effect once.
///
/// A change may have two names: one by the plan or file that it is from, which holds for good, and one by the line of the
/// script that made it, which holds until a run of that script ends with success.
package struct Intent: Hashable, Sendable {
  /// The plan or the imported file: `plan 01J…`, `import /srv/new.csv`; nil for a change of no file.
  package var source: String?
  /// The line of a script and how often it has run before in this run; nil for a line that was typed.
  package var line: String?
  /// Which change of the source or the line; equal changes are numbered: `edit 138#0`.
  package var part: String

  package init(source: String? = nil, line: String? = nil, part: String) {
    self.source = source
    self.line = line
    self.part = part
  }

  /// Returns one intent a change; nil for a change that neither a file nor a script holds.
  ///
  /// - Parameter digests: what tells the changes apart; without it their products do, and what a created one is like.
  package static func of(
    _ changes: [Change], source: String? = nil, line: String?, digests: [String]? = nil
  ) -> [Intent?] {
    guard source != nil || line != nil else { return changes.map { _ in nil } }
    var seen: [String: Int] = [:]
    return changes.indices.map { index in
      let part = digests?[index] ?? changes[index].subject
      defer { seen[part, default: 0] += 1 }
      return Intent(source: source, line: line, part: "\(part)#\(seen[part, default: 0])")
    }
  }
}

extension Change {
  /// The product that it touches; of a create, what it is like.
  fileprivate var subject: String {
    switch self {
    case .create(let draft): "create " + SHA256.hex(Data(Fields(of: draft).json.utf8)).prefix(16)
    case .edit(let product, _, _): "edit \(product.id)"
    case .delete(let product): "delete \(product.id)"
    }
  }
}

/// What the journal records of a change besides the change itself.
package struct WriteOrigin: Hashable, Sendable {
  package var intent: Intent?
  /// The user asked for another one: an equal earlier create does not stand in its way.
  package var isAnother: Bool
  /// The write that it takes back.
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

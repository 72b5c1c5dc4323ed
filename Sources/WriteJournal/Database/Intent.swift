import Catalog
import Foundation
import Text

/// The identity of a change, by which the journal recognizes it when its command is run again.
///
/// Only changes with a further effect when they are repeated are recognized: creates, and edits that are computed from the
/// values that were read. The product itself shows whether an edit to stated values or a delete was made. A plan or a file
/// identifies its creates permanently, a line as long as a run of it did not end.
package struct Intent: Hashable, Sendable {
  /// The plan or the imported file: `plan 01J…`, `import /srv/new.csv`; `nil` for other changes.
  ///
  /// A create that was taken over from an interrupted command shares a source with the equal creates that were planned
  /// in the meantime: `write 01J…`.
  package var source: String?
  /// The line and the number of its earlier executions in this run; see `CommandRun`.
  package var line: String?
  /// The change within the source or the line.
  ///
  /// Equal changes are numbered: `edit 138#0`.
  package var part: String
  /// A Boolean value that indicates an edit that is computed from the values that were read, such as `stock+=1`.
  package var isRelative: Bool

  package init(source: String? = nil, line: String? = nil, part: String, isRelative: Bool = false) {
    self.source = source
    self.line = line
    self.part = part
    self.isRelative = isRelative
  }

  /// The first word of the source of a create that was taken over from an interrupted command.
  static let interrupted = "write "

  /// Returns the source of a create that was taken over, by its operation.
  static func source(ofInterrupted operation: String) -> String { interrupted + operation }

  /// The first word of the line of a create whose run reported a failure.
  static let failed = "failed "

  /// The time after which a line that did not end is another line.
  static let lifetime: Int64 = 86_400

  /// Returns the intent of each change, or `nil` for a change from neither a file nor a line.
  ///
  /// The changes are identified by `digests` or, without them, by the content of created products, and by the products of
  /// the others with their formula.
  package static func of(
    _ changes: [Change], source: String? = nil, line: String?, digests: [String]? = nil,
    formulas: [Product.ID: String] = [:]
  ) -> [Intent?] {
    guard source != nil || line != nil else { return changes.map { _ in nil } }
    var seen: [String: Int] = [:]
    return changes.indices.map { index in
      var part = digests?[index] ?? changes[index].subject
      let formula = changes[index].product.flatMap { formulas[$0.id] }
      if let formula { part += " " + SHA256.hex(Data(formula.utf8)).prefix(16) }
      defer { seen[part, default: 0] += 1 }
      return Intent(
        source: source, line: line, part: "\(part)#\(seen[part, default: 0])", isRelative: formula != nil)
    }
  }
}

extension Change {
  /// The product of the change or, for a create, a hash of its content.
  var subject: String {
    switch self {
    case .create(let draft): "create " + SHA256.hex(Data(ProductValues(of: draft).json.utf8)).prefix(16)
    case .edit(let product, _, _): "edit \(product.id)"
    case .delete(let product): "delete \(product.id)"
    }
  }
}

/// The journal's knowledge about a change before it is sent.
package enum PriorMatch: Hashable, Sendable {
  case none
  /// A run of the same line, plan or file made the change.
  case made(EarlierWrite)
  /// A command made an equal create and was interrupted, or a run of the same line made it and then reported a failure.
  ///
  /// Only the user can tell whether it is the same.
  case equal(EarlierWrite)
  /// A run of the same line computed the change and sent it, and its outcome is unknown.
  case undecided(entry: Int)
}

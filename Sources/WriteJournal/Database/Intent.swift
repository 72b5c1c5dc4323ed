import Catalog
import Foundation
import Text

/// The identity of a change, by which a command that is run again has its effect only once.
///
/// A change can be identified by its plan or file, which holds permanently, and by the line of a script, which holds
/// until a run of that script succeeds.
package struct Intent: Hashable, Sendable {
  /// The plan or the imported file: `plan 01J…`, `import /srv/new.csv`; `nil` for other changes.
  ///
  /// A create that was taken over from an interrupted command shares a source with the equal creates that were planned
  /// in the meantime: `write 01J…`.
  package var source: String?
  /// The line of a script and its number of earlier runs in this run, or `nil` for a typed line.
  package var line: String?
  /// The change within the source or the line.
  ///
  /// Equal changes are numbered: `edit 138#0`.
  package var part: String

  package init(source: String? = nil, line: String? = nil, part: String) {
    self.source = source
    self.line = line
    self.part = part
  }

  /// The first word of the source of a create that was taken over from an interrupted command.
  static let interrupted = "write "

  /// Returns the source of a create that was taken over, by its operation.
  static func source(ofInterrupted operation: String) -> String { interrupted + operation }

  /// Returns the intent of each change, or `nil` for a change from neither a file nor a script.
  ///
  /// The changes are identified by `digests` or, without them, by their products and by the content of created ones.
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
  /// The product of the change or, for a create, a hash of its content.
  var subject: String {
    switch self {
    case .create(let draft): "create " + SHA256.hex(Data(ProductValues(of: draft).json.utf8)).prefix(16)
    case .edit(let product, _, _): "edit \(product.id)"
    case .delete(let product): "delete \(product.id)"
    }
  }
}

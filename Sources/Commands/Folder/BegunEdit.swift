import Catalog
import Networking
import Platform
import ShellRuntime
import Text
import WriteJournal

extension FolderBase {
  /// An edit that a push is about to send, which the base records before.
  ///
  /// A push that is killed doesn't record what it sent. The market may be changed by others until the next command reads it,
  /// and what `resume` sends arrives later still. So the log says whether the edit was made: then its values are what the
  /// folder and the market agreed on last, and aren't sent a second time. The record of its product that follows ends it.
  struct BegunEdit: Sendable {
    var id: Product.ID
    /// The row of the log; see `CreateSource.part`.
    var part: String
    /// The newest entry of the log before.
    var newest: Int
    /// The values that are sent, as in the file and without the pictures.
    var values: Reconciliation.Values

    init(_ id: Product.ID, part: String, after newest: Int, values: Reconciliation.Values) {
      (self.id, self.part, self.newest, self.values) = (id, part, newest, values)
    }

    /// Reads it from a line of the base, or returns `nil` for another one.
    init?(_ id: Product.ID, _ json: JSON) {
      guard let object = json.object, let part = (try? object.string("row")) ?? nil,
        let newest = (try? object.int("log")) ?? nil, let text = (try? object.string("text")) ?? nil,
        let values = (try? ProductFile(parsing: text))?.values
      else { return nil }
      self.init(id, part: part, after: Int(newest), values: values)
    }

    var line: String {
      let push = JSON.object([
        ("row", .string(part)), ("log", .int(newest)), ("text", .string(ProductFile(id: nil, values: values).text)),
      ])
      return JSON.object([("id", .int(id)), ("push", push)]).serialized + "\n"
    }
  }
}

extension FolderBase.Entry {
  /// Returns the entry with the values of an edit that was made.
  func taking(_ values: Reconciliation.Values) -> Self {
    Self(
      id: id, file: file, values: self.values.merging(values) { $1 }, of: nil, pictures: nil, after: self)
  }
}

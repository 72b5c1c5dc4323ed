import Catalog
import Networking

extension FolderBase {
  /// An edit in the base that a push records before it sends the edit.
  ///
  /// A push that is killed doesn't record the outcome, and `resume` may send the edit later. Until the next command reads the
  /// market, others may have changed it, so only the log shows whether the edit was made. If it was, the folder and the
  /// market agreed on its values last, and they aren't sent a second time. The next line of the base with the product
  /// replaces the edit.
  struct BegunEdit: Sendable {
    var id: Product.ID
    /// The row of the log; see `CreateSource.part`.
    var part: String
    /// The newest entry of the log before the push.
    var newest: Int
    /// The values that are sent, as in the file and without the pictures.
    var values: Reconciliation.Values

    init(_ id: Product.ID, part: String, after newest: Int, values: Reconciliation.Values) {
      (self.id, self.part, self.newest, self.values) = (id, part, newest, values)
    }

    /// Reads an edit from a line of the base, or returns `nil` for another line.
    init?(_ id: Product.ID, _ json: JSON) {
      guard let object = json.object, let part = (try? object.string("row")) ?? nil,
        let newest = (try? object.int("log")) ?? nil, let text = (try? object.string("text")) ?? nil,
        let values = (try? ProductFile(parsing: text))?.values
      else { return nil }
      self.init(id, part: part, after: newest, values: values)
    }

    /// The line of the base.
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

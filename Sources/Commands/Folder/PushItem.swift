import Catalog
import FileFormats
import FoundationEssentials
import Text
import WriteJournal

/// One product of a push: its file, and what becomes of it.
struct PushItem: Sendable {
  /// The name of the file.
  var file: String
  /// The text of the file, or `nil` if there is none any more.
  var text: String?
  var verdict: RevalidatedChange
  /// The values of the file, with the digests of its pictures.
  var local: ProductMerge.Values
  /// The base as it becomes if nothing is written.
  var base: ProductMerge.Values
  /// The values that the file takes from the market.
  var changes: ProductMerge.Values = [:]
  /// The deleted product that the new one replaces.
  var replaced: Product.ID?

  /// The file as it is after the push, or `nil` if there is none.
  var written: ProductFile? {
    var file = text.flatMap { try? ProductFile(parsing: $0) }
    for (field, value) in changes { file?.values[field] = value }
    return file
  }

  /// The identity of a new product within its folder: its file and its content.
  var digest: String { "\(file) \(SHA256.hex(Data((text ?? "").utf8)).prefix(16))" }
}

import CommandLanguage

/// The form of a text file of products, by the ending of its name and by its first characters.
enum ImportForm: Hashable, Sendable {
  case csv
  /// One JSON object per line.
  case jsonLines
  /// One JSON value with all products, into which no ids are inserted.
  case jsonDocument(ImportJSONLines.Layout)

  init(of text: String, named file: String) {
    let format = OutputFormat(ending: file)
    let start = text.unicodeScalars.lazy.filter { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }.prefix(2)
    let beginsAsObject = start.first == "{" || start.elementsEqual(["[", "{"])
    if format == .jsonl || format == .json || (format != .csv && beginsAsObject) {
      self = ImportJSONLines.layout(of: text).map { .jsonDocument($0) } ?? .jsonLines
    } else {
      self = .csv
    }
  }

  /// A Boolean value that indicates that the ids of created products can be inserted.
  var takesIDs: Bool { if case .jsonDocument = self { false } else { true } }

  /// Returns the rows of a text in this form.
  func table(of text: String, _ names: FieldNameTable, _ problems: inout ImportProblems) -> ImportTable {
    switch self {
    case .csv: ImportCSV(names: names).table(of: text, &problems)
    case .jsonLines: ImportJSONLines(names: names).table(of: text, layout: nil, &problems)
    case .jsonDocument(let layout): ImportJSONLines(names: names).table(of: text, layout: layout, &problems)
    }
  }

  /// Returns a text in this form with the ids of created products, or `nil` if it can't have them.
  func text(_ text: String, inserting ids: ImportedIDs) -> String? {
    switch self {
    case .csv: try? ids.inserted(intoCSV: text)
    case .jsonLines: ids.inserted(intoJSONLines: text)
    case .jsonDocument: nil
    }
  }
}

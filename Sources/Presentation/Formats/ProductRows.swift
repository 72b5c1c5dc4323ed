import Catalog

/// Products as rows of a file that is written piece by piece: CSV or JSON lines, as the renderers of those names write them.
package struct ProductRows: Sendable {
  package enum Kind: Sendable { case csv, jsonLines }

  private let kind: Kind

  package init(_ kind: Kind) { self.kind = kind }

  /// What stands before the first row.
  package var header: String {
    switch kind {
    case .csv: CSVLine.text(Field.allCases.map(\.rawValue))
    case .jsonLines: ""
    }
  }

  package func text(of products: [Product]) -> String {
    var text = ""
    for product in products {
      switch kind {
      case .csv: text += CSVLine.text(Field.allCases.map { FlatCell(product, $0).guarded })
      case .jsonLines: text += JSONText(product).text + "\n"
      }
    }
    return text
  }
}

import Text

/// A document as a page of HTML that loads nothing and needs no script.
package struct DocumentPage {
  private let document: Document
  private let options: RenderOptions

  package init(_ document: Document, _ options: RenderOptions) {
    self.document = document
    var plain = options
    plain.isTerminal = false
    plain.colors = false
    self.options = plain
  }

  package var text: String { html.text }

  private var html: HTML {
    let title = plain(document.title)
    return """
      <!doctype html>
      <html lang="\(options.language.rawValue)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(title)</title>
      <style>
      :root { color-scheme: light dark; }
      body { background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; margin: 2rem; word-break: keep-all; overflow-wrap: anywhere; }
      section { overflow-x: auto; }
      table { border-collapse: collapse; }
      th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid #888; max-width: 40rem; white-space: pre-wrap; }
      .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
      .t td { font-weight: bold; }
      @media print { body { margin: 0; font-size: 9pt; } tr { break-inside: avoid; } }
      </style>
      <main>
      <h1>\(title)</h1>
      \(paragraphs(document.remarks))\(document.sections.map(section).joined())</main>

      """
  }

  private func plain(_ text: LocalizedText) -> String {
    Sanitizer.sanitized(text[options.language].plain, limit: .max)
  }

  private func paragraphs(_ texts: [LocalizedText]) -> HTML {
    texts.map { "<p>\(plain($0))</p>\n" as HTML }.joined()
  }

  private func section(_ section: Document.Section) -> HTML {
    let table = section.table
    let head = table.columns.map { column in
      let name = document.headings == .keys ? Sanitizer.sanitized(column.key, limit: .max) : plain(column.title)
      return "<th scope=\"col\"\(mark(column))>\(name)</th>" as HTML
    }
    let rows = table.rows.enumerated().map { index, row in
      let cells = zip(table.columns, row).map { "<td\(mark($0))>\(text($1))</td>" as HTML }
      let kind: HTML = index >= table.rows.count - section.totals ? " class=\"t\"" : ""
      return "<tr\(kind)>\(cells.joined())</tr>\n" as HTML
    }
    let body: HTML =
      rows.isEmpty
      ? "" : "<table>\n<thead><tr>\(head.joined())</tr></thead>\n<tbody>\n\(rows.joined())</tbody>\n</table>\n"
    return "<section>\n<h2>\(plain(section.name))</h2>\n\(paragraphs(section.remarks))\(body)</section>\n"
  }

  private func mark(_ column: Table.Column) -> HTML { column.isNumber ? " class=\"n\"" : "" }

  private func text(_ cell: Table.Cell) -> String {
    switch cell {
    case .none: ""
    case .text(let text): Sanitizer.sanitized(text, .keep, limit: .max)
    case .number, .decimal, .amount, .bool, .localized, .timestamp, .record, .list: CellText.text(cell, options)
    }
  }
}

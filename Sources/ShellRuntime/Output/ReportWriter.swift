import Catalog
import CommandLanguage
import Foundation
import Platform
import Presentation
import Text

/// Writes a report to the destination given by its clauses: standard output, a file, or the standard input of a
/// program.
package struct ReportWriter {
  private let clauses: Clauses
  private let scope: CommandScope
  private let pages: Bool

  /// Creates a sink.
  ///
  /// With `pages`, the pager shows output that doesn't fit on the screen.
  package init(_ clauses: Clauses, _ scope: CommandScope, pages: Bool = true) {
    self.pages = pages
    self.clauses = clauses
    self.scope = scope
  }

  /// Writes a report to the screen, a file or a program.
  ///
  /// - Throws: `FileError` and `OutputError` for failed writes, `CommandError` for a program that fails, `ParseError` for
  ///   `bom` outside CSV.
  package func deliver(_ report: Report) async throws {
    if isSeen {
      switch report {
      case .receipt(let receipt) where receipt.isBatch || scope.session.settings.afterWrite == .brief:
        return try await printReceipt(receipt)
      case .group(let parts) where parts.contains(where: \.isWritten):
        for part in parts { try await deliver(part) }
        return
      case .listing, .product, .rows, .drawing, .message, .text, .receipt, .group, .empty: break
      }
    }
    try await hand(over: report)
  }

  /// A Boolean value that indicates whether the output is a table on a terminal.
  private var isSeen: Bool {
    !clauses.isRedirected && format == .table && scope.context.program.console.outputIsTerminal
  }

  /// Prints one line for one product.
  ///
  /// For several, prints a table, and the summary and the next step below it. The pager isn't used, because it would take
  /// the keys of a user who types the next command while a long batch ends.
  private func printReceipt(_ receipt: WriteReceipt) async throws {
    for remark in receipt.remarks { scope.say(remark) }
    guard receipt.isBatch else { return scope.context.program.console.writeMessage(receipt.line(scope.messageOptions)) }
    let options = scope.dataOptions
    let rows = receipt.table(options)
    let table = rows.rows.isEmpty ? "" : format.renderer.render(.rows(rows), options)
    let ending = receipt.summary.map { MessageRenderer().render($0, scope.messageOptions) } ?? ""
    try scope.context.program.console.writeOutput(table)
    if !ending.isEmpty { scope.context.program.console.writeMessage(ending) }
  }

  private func hand(over report: Report) async throws {
    for message in report.messages { scope.say(message) }
    guard let data = report.data else { return }
    if clauses.includesBOM, format != .csv { throw Clauses.markOutsideCSV }
    if let file = clauses.file, !data.isExact,
      let document = try clauses.documentForm.flatMap({ try document(data, as: $0) })
    {
      return try toFile(document, file)
    }
    // A text is for a program as it is; only a terminal has to be protected from control characters.
    if case .text(let text) = data, isTextFile || format == .table && !isTerminal {
      let text = mark + text[scope.session.settings.language].plain
      return try await deliver(exactly: text.hasSuffix("\n") ? text : text + "\n")
    }
    if format == .table, case .drawing(let drawing) = data, let bytes = drawing.exactBytes {
      return try await deliver(exactly: bytes)
    }
    if let file = clauses.file {
      var options = plain
      options.csvLineEnding = .crlf
      try toFile(Data((mark + format.renderer.render(data, options)).utf8), file)
    } else if let pipe = clauses.pipe {
      try await ShellPipe.run(pipe, input: mark + format.renderer.render(data, plain), for: scope.context.program)
    } else {
      if pages, case .listing(let listing) = data, listing.layout == .table,
        scope.context.program.console.outputIsTerminal,
        listing.page.products.count > StreamingRowWriter.gathered,
        let sink = StreamingRowWriter(clauses, columns: listing.columns, scope)
      {
        return try await sink.show(listing)
      }
      var data = data
      if format == .table, let illustrator = ReportPictureLoader(scope) {
        if pages, let grid = ProgressiveGrid(data, illustrator: illustrator, in: scope), try await grid.show() {
          return
        }
        data = await illustrator.illustrate(data)
      }
      let text = mark + format.renderer.render(data, scope.dataOptions)
      if pages { try await PagerOutput(scope).show(text) } else { try scope.context.program.console.writeOutput(text) }
    }
  }

  /// A Boolean value that indicates that the output is shown at a terminal.
  private var isTerminal: Bool { !clauses.isRedirected && scope.context.program.console.outputIsTerminal }

  /// A Boolean value that indicates a file whose name and line name no format: a text is written into it as it is, because the
  /// format of the session is one of data.
  private var isTextFile: Bool {
    clauses.format == nil && clauses.file.map { OutputFormat(ending: $0) == nil } ?? false
  }

  /// Returns the bytes of a document, or `nil` for data that is written in a format as before.
  ///
  /// - Throws: `WorkbookWriter.Fault`; `CommandError` for a workbook of a text.
  private func document(_ data: Report, as form: Clauses.DocumentForm) throws -> Data? {
    switch form {
    case .workbook:
      guard let document = Document(data) else { throw CommandError.textInWorkbook }
      let writer = try WorkbookWriter(scope.session.settings.language)
      try writer.append(document)
      return try writer.finish()
    case .page:
      if case .drawing(let figure) = data, figure.document == nil { return nil }
      return Document(data).map { Data(DocumentPage($0, plain).text.utf8) }
    }
  }

  private var mark: String { clauses.includesBOM ? "\u{FEFF}" : "" }

  /// The format of the clause `as`, of the file's extension, or of the session.
  package var format: OutputFormat {
    clauses.format ?? clauses.file.flatMap { OutputFormat(ending: $0) } ?? scope.session.settings.format
  }

  /// Writes a text byte for byte, because it is meant for pasting or for programs.
  ///
  /// - Throws: The errors of `deliver`.
  package func deliver(exactly text: String) async throws {
    if let file = clauses.file {
      if clauses.documentForm == .workbook { throw CommandError.textInWorkbook }
      try toFile(Data(text.utf8), file)
    } else if let pipe = clauses.pipe {
      try await ShellPipe.run(pipe, input: text, for: scope.context.program)
    } else {
      try scope.context.program.console.writeOutput(text)
    }
  }

  /// Writes bytes that needn't be text.
  ///
  /// - Throws: The errors of `deliver`.
  package func deliver(exactly bytes: Data) async throws {
    if let pipe = clauses.pipe {
      try await ShellPipe.run(pipe, input: Array(bytes), for: scope.context.program)
    } else if !bytes.isEmpty {
      try scope.context.program.console.writeOutput(Array(bytes))
    }
  }

  /// The options for files and programs: no colors, no boxes, no width.
  package var plain: RenderOptions {
    var options = scope.dataOptions
    options.isTerminal = false
    options.colors = false
    options.width = nil
    return options
  }

  private func toFile(_ data: Data, _ named: String) throws {
    let file = ProtectedOutputFile(named, scope.context)
    try file.write(data)
    scope.say(file.written)
  }
}

extension Report {
  /// A Boolean value that indicates the body of a response, which is written as it was received.
  fileprivate var isExact: Bool {
    if case .drawing(let figure) = self { figure.exactBytes != nil } else { false }
  }

  var isWritten: Bool {
    if case .receipt = self { true } else { false }
  }
}

/// The destination of a command's output, given by the clauses of its line.
package struct CommandOutput: Sendable {
  package let clauses: Clauses
  /// A Boolean value that indicates whether rows may be written as they arrive, because no prefix needs the complete
  /// report.
  package let streamsRows: Bool

  package init(_ clauses: Clauses = Clauses(), streamsRows: Bool = false) {
    self.clauses = clauses
    self.streamsRows = streamsRows
  }
}

extension OutputFormat {
  package var renderer: any Renderer {
    switch self {
    case .table: TerminalRenderer()
    case .json: JSONRenderer()
    case .jsonl: JSONLinesRenderer()
    case .csv: FlatRenderer(.csv)
    case .tsv: FlatRenderer(.tsv)
    case .markdown: FlatRenderer(.markdown)
    }
  }
}

extension Report {
  /// The messages of the report, which are shown to the user in addition to the data.
  package var messages: [Message] {
    switch self {
    case .message(let message): [message]
    case .listing(let listing): listing.page.warnings
    case .receipt(let receipt): receipt.whole.messages
    case .group(let reports): reports.flatMap(\.messages)
    case .product, .rows, .drawing, .text, .empty: []
    }
  }

  /// The report without its messages, which goes to standard output, or `nil` if nothing remains.
  package var data: Report? {
    switch self {
    case .listing, .product, .rows, .drawing, .text: return self
    case .message, .empty: return nil
    case .receipt(let receipt): return receipt.whole.data
    case .group(let reports):
      let parts = reports.compactMap(\.data)
      return parts.count > 1 ? .group(parts) : parts.first
    }
  }
}

extension Report {
  /// The products that the report shows.
  package var products: [Product] {
    switch self {
    case .listing(let listing): listing.page.products
    case .product(let product, _): [product]
    case .receipt(let receipt): receipt.whole.products
    case .group(let reports): reports.flatMap(\.products)
    case .rows, .drawing, .message, .text, .empty: []
    }
  }
}

extension Table {
  /// The headings in both languages with the keys of their columns, for conditions that refer to a column by its
  /// heading.
  package var titles: [String: String] {
    var titles: [String: String] = [:]
    for column in columns {
      for title in [column.title.english.plain, column.title.korean.plain] where title != column.key {
        titles[title] = column.key
      }
    }
    return titles
  }
}

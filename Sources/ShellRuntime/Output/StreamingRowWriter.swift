import Catalog
import CommandLanguage
import Foundation
import Platform
import Presentation
import Text

/// Streams the rows of a long list to the terminal or pager, to standard output, to a file (written atomically) or to a
/// program (ended before end of input if the list is incomplete).
package final class StreamingRowWriter {
  /// The maximum number of rows that are written at once; a longer list is streamed.
  package static let gathered = 1_000
  /// The number of rows that are written between two checks for cancellation.
  private static let pieceSize = 250

  private enum Destination {
    case output
    case file(ProtectedOutputFile, AtomicFileWriter)
    case program(StreamingSubprocess)
    case pager(StreamingSubprocess)
  }

  private let clauses: Clauses
  private let scope: CommandScope
  private var writer: any RowEncoder
  private var destination: Destination?
  /// A Boolean value that indicates that rows are printed on the terminal, so that nothing else may be drawn at the
  /// same time.
  package let isSeen: Bool

  /// Returns `nil` if the format needs all rows before the first can be written, as a table in a file and a workbook do.
  package init?(_ clauses: Clauses, columns: [ProductField]?, _ scope: CommandScope) {
    if clauses.documentForm != nil { return nil }
    isSeen = !clauses.isRedirected && scope.context.program.console.outputIsTerminal
    let format = ReportWriter(clauses, scope).format
    if clauses.includesBOM, format != .csv { return nil }
    switch (ProductRowEncoder.Format(format), isSeen) {
    case (let format?, false):
      writer = ProductRowEncoder(format, fields: columns, ending: clauses.file == nil ? .lf : .crlf)
    case (let format?, true): writer = TerminalRows(format, fields: columns, scope.dataOptions)
    case (nil, true): writer = StreamingTableRenderer(fields: columns, scope.dataOptions)
    case (nil, false): return nil
    }
    self.clauses = clauses
    self.scope = scope
  }

  package var isOpen: Bool { destination != nil }
  /// A Boolean value that indicates that rows were written, so that the result need not be shown again.
  package private(set) var wasUsed = false
  /// A Boolean value that indicates whether an incomplete list may be written: only to the terminal, never to a file or
  /// a program.
  package var takesParts: Bool { !clauses.isRedirected }

  /// Writes rows, and returns false if no more are wanted.
  ///
  /// - Throws: `FileError`, `OutputError`, `CommandError` for a program that can't be started, `CancellationError`.
  package func put(_ products: [Product]) async throws -> Bool {
    if destination == nil {
      if isSeen {
        scope.context.program.spinner.disable()
        scope.context.program.console.showStatus(nil)
      }
      destination = try open()
      wasUsed = true
      guard try await hand(over: Array(((clauses.includesBOM ? "\u{FEFF}" : "") + writer.head).utf8)) else {
        return false
      }
    }
    return try await hand(over: writer.rows(of: products))
  }

  /// Writes a complete list in pieces, so that its beginning appears at once and Ctrl-C ends it.
  ///
  /// - Throws: The errors of `put` and `finish`.
  func show(_ listing: Listing) async throws {
    do {
      let products = listing.page.products
      for start in stride(from: 0, to: products.count, by: StreamingRowWriter.pieceSize) {
        try Task.checkCancellation()
        guard try await put(Array(products[start..<min(start + StreamingRowWriter.pieceSize, products.count)])) else {
          break
        }
      }
      try await finish(listing)
    } catch {
      await abandon()
      throw error
    }
  }

  /// Completes the output.
  ///
  /// The counts of `listing` are written if the format includes them.
  ///
  /// - Throws: The errors of `put`; `CommandError` for a program that ends with another status than 0.
  package func finish(_ listing: Listing) async throws {
    _ = try await hand(over: Array(writer.end(of: listing).utf8))
    switch destination {
    case .output, nil: break
    case .file(let file, let draft):
      try draft.commit()
      file.remember(draft.digest)
      scope.say(file.written)
    case .program(let program):
      let ending = await program.closeAndWait()
      try Task.checkCancellation()
      try ShellPipe.check(ending)
    case .pager(let program):
      if Pager.failedToStart(await program.closeAndWait()) {
        throw CommandError(
          .refused,
          .failure("Could not start the pager.", ko: "PAGER를 시작하지 못했습니다.")
            .next(
              "To turn the pager off, run \(.command("set pager off")).",
              ko: "페이저를 끄려면 \(.command("set pager off"), .object) 실행하세요."))
      }
    }
    destination = nil
  }

  /// Cancels an incomplete output: a file stays as it was, a program is ended before it sees the end of input.
  package func abandon() async {
    switch destination {
    case .output, nil: break
    case .file(_, let draft): draft.discard()
    case .program(let program), .pager(let program): await program.terminate()
    }
    destination = nil
  }

  private func open() throws -> Destination {
    if let named = clauses.file {
      let file = ProtectedOutputFile(named, scope.context)
      return .file(file, try AtomicFileWriter(at: file.path, isRemembered: true))
    }
    guard let line = clauses.pipe else {
      return isSeen ? PagerOutput(scope).startPager().map { .pager($0) } ?? .output : .output
    }
    let program = Subprocess(
      shell: line, environment: scope.context.program.environment, scope.context.program.interruption.shutdown)
    guard let fed = StreamingSubprocess(program) else { throw ShellPipe.notStarted(errno) }
    return .program(fed)
  }

  private func hand(over bytes: [UInt8]) async throws -> Bool {
    switch destination {
    case .output: if !bytes.isEmpty { try scope.context.program.console.writeOutput(bytes) }
    case .file(_, let draft): try draft.append(bytes)
    case .program(let program), .pager(let program): return try await program.writeInput(bytes)
    case nil: break
    }
    return true
  }
}

extension ProductRowEncoder.Format {
  /// Returns `nil` for a format that needs all rows before the first can be written.
  fileprivate init?(_ format: OutputFormat) {
    switch format {
    case .json: self = .json
    case .jsonl: self = .jsonl
    case .csv: self = .csv
    case .tsv: self = .tsv
    case .markdown: self = .markdown
    case .table: return nil
    }
  }
}

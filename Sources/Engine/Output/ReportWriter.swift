import Catalog
import Failures
import Foundation
import Interchange
import Language
import Networking
import Platform
import Presentation
import Text

/// Writes a report to the destination given by its clauses: standard output, a file, or the standard input of a
/// program.
package struct ReportWriter {
  private let clauses: Clauses
  private let session: Session
  private let context: CommandContext
  private let pages: Bool

  /// Creates a sink.
  ///
  /// With `pages`, the pager shows output that doesn't fit on the screen.
  package init(_ clauses: Clauses, _ session: Session, _ context: CommandContext, pages: Bool = true) {
    self.pages = pages
    self.clauses = clauses
    self.session = session
    self.context = context
  }

  /// Writes a report to the screen, a file or a program.
  ///
  /// - Throws: `FileError` and `OutputError` for failed writes, `CommandError` for a program that fails, `ParseError` for
  ///   `bom` outside CSV.
  package func deliver(_ report: Report) async throws {
    if isSeen {
      switch report {
      case .receipt(let receipt) where receipt.isBatch || session.settings.afterWrite == .brief:
        return try await tell(receipt)
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
    !clauses.isRedirected && format == .table && context.console.outputIsTerminal
  }

  /// Prints one line for one product.
  ///
  /// For several, prints a table, and the summary and the next step: below a table that fits the screen, otherwise at the
  /// top of the pager.
  private func tell(_ receipt: WriteReceipt) async throws {
    for remark in receipt.remarks { context.say(remark, session) }
    guard receipt.isBatch else { return context.console.writeMessage(receipt.line(context.messageOptions(session))) }
    let options = context.dataOptions(session)
    let table = format.renderer.render(.rows(receipt.table(options)), options)
    let ending = receipt.summary.map { MessageRenderer().render($0, context.messageOptions(session)) } ?? ""
    if pages { return try await PagerOutput(session, context).show(table, ending: ending) }
    try context.console.writeOutput(table)
    if !ending.isEmpty { context.console.writeMessage(ending) }
  }

  private func hand(over report: Report) async throws {
    for message in report.messages { context.say(message, session) }
    guard let data = report.data else { return }
    if clauses.includesBOM, format != .csv { throw Clauses.markOutsideCSV }
    if format == .table, case .drawing(let drawing) = data, let bytes = drawing.exactBytes {
      return try await deliver(exactly: bytes)
    }
    if let file = clauses.file {
      var options = plain
      options.csvLineEnding = .crlf
      try toFile(mark + format.renderer.render(data, options), file)
    } else if let pipe = clauses.pipe {
      try await ShellPipe.run(pipe, input: mark + format.renderer.render(data, plain), in: context)
    } else {
      if pages, case .listing(let listing) = data, listing.layout == .table, context.console.outputIsTerminal,
        listing.page.products.count > StreamingRowWriter.gathered,
        let sink = StreamingRowWriter(clauses, columns: listing.columns, session, context)
      {
        return try await sink.show(listing)
      }
      var data = data
      if format == .table, let illustrator = ReportPictureLoader(session, context) {
        if pages, let grid = ProgressiveGrid(data, illustrator, session, context), try await grid.show() { return }
        data = await illustrator.illustrate(data)
      }
      let text = mark + format.renderer.render(data, context.dataOptions(session))
      if pages { try await PagerOutput(session, context).show(text) } else { try context.console.writeOutput(text) }
    }
  }

  private var mark: String { clauses.includesBOM ? "\u{FEFF}" : "" }

  /// The format of the clause `as`, of the file's extension, or of the session.
  package var format: OutputFormat {
    clauses.format ?? clauses.file.flatMap { OutputFormat(ending: $0) } ?? session.settings.format
  }

  /// Writes a text byte for byte, because it is meant for pasting or for programs.
  ///
  /// - Throws: The errors of `deliver`.
  package func deliver(exactly text: String) async throws {
    if let file = clauses.file {
      try toFile(text, file)
    } else if let pipe = clauses.pipe {
      try await ShellPipe.run(pipe, input: text, in: context)
    } else {
      try context.console.writeOutput(text)
    }
  }

  /// Writes bytes that needn't be text.
  ///
  /// - Throws: The errors of `deliver`.
  package func deliver(exactly bytes: Data) async throws {
    if let pipe = clauses.pipe {
      try await ShellPipe.run(pipe, input: Array(bytes), in: context)
    } else if !bytes.isEmpty {
      try context.console.writeOutput(Array(bytes))
    }
  }

  /// The options for files and programs: no colors, no boxes, no width.
  package var plain: RenderOptions {
    var options = context.dataOptions(session)
    options.isTerminal = false
    options.colors = false
    options.width = nil
    return options
  }

  private func toFile(_ text: String, _ named: String) throws {
    let file = ProtectedOutputFile(named, context)
    try file.write(Data(text.utf8))
    context.say(file.written, session)
  }
}

/// Passes data to a program of the user's choice, run by `/bin/sh`.
///
/// The data goes only to its standard input.
package enum ShellPipe {
  /// Runs the program to its end.
  ///
  /// - Throws: `CommandError` if it can't be started or ends with another status than 0; `CancellationError`.
  package static func run(_ command: String, input: String, in context: CommandContext) async throws {
    try await run(command, input: Array(input.utf8), in: context)
  }

  /// Runs the program to its end with bytes as input.
  ///
  /// - Throws: `CommandError` if it can't be started or ends with another status than 0; `CancellationError`.
  package static func run(_ command: String, input: [UInt8], in context: CommandContext) async throws {
    let program = Subprocess(shell: command, environment: context.environment, context.interruption.shutdown)
    let ending = await program.run(input: input)
    try Task.checkCancellation()
    try check(ending)
  }

  /// - Throws: `CommandError` unless the program ended successfully.
  static func check(_ ending: Subprocess.Ending) throws {
    switch ending {
    case .exit(0): return
    case .exit(let status), .signal(let status):
      throw CommandError(
        .refused, .warning("The program exited with status \(status).", ko: "프로그램이 종료 코드 \(status)번으로 끝났습니다."))
    case .failedToStart(let code): throw notStarted(code)
    }
  }

  static func notStarted(_ code: Int32) -> CommandError {
    CommandError(
      .refused,
      .failure("Could not start the program.", ko: "프로그램을 시작하지 못했습니다.").because(CommandError.reason(code)))
  }
}

extension Report {
  fileprivate var isWritten: Bool {
    if case .receipt = self { true } else { false }
  }
}

extension OutputFormat {
  package var renderer: any Renderer {
    switch self {
    case .table: TerminalRenderer()
    case .json: JSONRenderer()
    case .jsonl: JSONLinesRenderer()
    case .csv: CSVRenderer()
    case .tsv: TSVRenderer()
    case .markdown: MarkdownRenderer()
    }
  }

  /// Returns the format of a file's extension: `page.json`.
  package init?(ending path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "md", "markdown": self = .markdown
    case "txt": self = .table
    default: return nil
    }
  }
}

/// An output file named by the user.
///
/// An existing file is overwritten without confirmation only if this program wrote it and it hasn't changed since.
package struct ProtectedOutputFile {
  package let path: String
  private let named: String
  private let context: CommandContext

  package init(_ named: String, _ context: CommandContext) {
    self.named = named
    self.context = context
    path = Paths.expanded(named, home: context.environment["HOME"])
  }

  /// Asks before overwriting.
  ///
  /// It is called before any request is sent, so that a write never succeeds without a place for its result.
  /// `replacing` indicates the clause `replace`.
  ///
  /// - Throws: `CommandError` if the file must not be overwritten.
  package func confirmOverwrite(replacing: Bool, _ session: Session) async throws {
    try checkName()
    if replacing { return }
    let reason: LocalizedText
    switch WrittenFiles(context.home).standing(of: path) {
    case .nothingToLose, .unmodified: return
    case .modified:
      reason = LocalizedText(
        "\(.value(named)) was changed outside openmarket since openmarket wrote it.",
        ko: "\(.value(named)) 파일은 openmarket이 저장한 뒤에 바뀌었습니다.")
    case .unknownOrigin:
      reason = LocalizedText(
        "\(.value(named)) already exists and was not written by openmarket.",
        ko: "\(.value(named)) 파일이 이미 있으며, openmarket이 저장한 파일이 아닙니다.")
    }
    guard context.asker != nil else {
      throw CommandError(
        .blocked,
        Message(.failure, reason).because("Nothing was saved or sent.", ko: "아무것도 저장하거나 보내지 않았습니다.")
          .next(
            "Add \(.command("replace")) to the command to overwrite it.", ko: "명령에 \(.command("replace"))를 붙이면 덮어씁니다."))
    }
    context.say(Message(.warning, reason), session)
    let question = LocalizedText("Overwrite? [y/N] ", ko: "덮어쓸까요? [y/N] ")
    guard await context.isConfirmed(question, session) else {
      throw CommandError(
        .blocked,
        .note("Canceled. Nothing was saved or sent.", ko: "그대로 두었습니다. 아무것도 저장하거나 보내지 않았습니다."))
    }
  }

  /// Refuses a name that contains a secret, because everyone who can list the folder would see it.
  ///
  /// - Throws: `CommandError` for such a name.
  package func checkName() throws {
    guard context.holdsSecret(name: named) else { return }
    throw CommandError(
      .usageError,
      .failure("A file name must not contain a secret.", ko: "파일 이름에는 시크릿을 쓸 수 없습니다.")
        .because("Nothing was saved. Nothing was sent.", ko: "저장하지 않았습니다. 아무것도 보내지 않았습니다."))
  }

  /// Writes the file atomically and records that this program wrote it.
  ///
  /// - Throws: `FileError.cannotWrite`; `CommandError` for a name that contains a secret.
  package func write(_ data: Data) throws {
    try checkName()
    try Files.write(data, to: path)
    remember()
  }

  var written: Message { .success("Saved to \(.value(path)).", ko: "\(.value(path))에 저장했습니다.") }

  /// What cannot be remembered is asked about the next time, which loses nothing.
  package func remember(_ digest: FileDigest? = nil) {
    try? WrittenFiles(context.home).record(path, digest)
  }
}

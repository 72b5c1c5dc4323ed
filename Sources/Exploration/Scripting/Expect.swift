import Catalog
import Engine
import Failures
import Foundation
import Language
import Platform
import Presentation
import Text

/// `expect`: the data printed last is what a file says; where there is no file yet, it is recorded.
package struct Expect: Command {
  package static let declaration = Declaration(
    "expect", group: .scripting,
    summary: LocalizedText("compare the last output with a file", ko: "마지막 출력을 파일과 비교"),
    parameters: [
      Parameter(
        "FILE", .positional(required: true), .file,
        LocalizedText("what the last command printed; recorded when missing", ko: "마지막 명령의 출력; 없으면 기록함"))
    ],
    examples: [
      .init("ls as json; expect page.json", "recorded once, compared from then on", ko: "처음에는 기록하고, 그다음부터 비교"),
      .init(
        "show 42 name price; expect cup.csv", "the ending chooses the format, as with to FILE",
        ko: "to FILE처럼 확장자가 형식을 정함"),
    ])

  private let file: String

  package init(_ invocation: Invocation) { file = invocation.text("FILE") ?? "" }

  /// - Throws: `Failure` where nothing has been printed, and for a difference; `FileError`.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    guard let shown = session.shown else {
      throw Failure(.misread, .failure("Nothing has been printed yet.", ko: "아직 출력한 것이 없습니다."))
    }
    guard let data = shown.data else {
      throw Failure(
        .misread,
        .failure("So long a list cannot be compared.", ko: "너무 긴 목록은 비교할 수 없습니다.")
          .because("The last output was not stored.", ko: "마지막 출력을 저장해 두지 않았습니다.")
          .next(
            "\(.command("| diff - FILE")) after the list compares it.",
            ko: "목록 뒤에 \(.command("| diff - FILE"))을 붙이면 비교합니다."))
    }
    let path = Paths.expanded(file, home: context.environment["HOME"])
    // A format that was asked for stands; a table meant for people becomes what the file's ending says.
    let format = shown.format == .table ? OutputFormat(ending: file) ?? .table : shown.format
    let printed = format.renderer.render(data, OutputSink(Clauses(), session, context).plain)
    let actual = try await lasting(printed, session, in: context)
    guard let expected = try Files.text(path) else {
      try UserFile(file, context).write(Data(actual.utf8))
      return .message(
        .success("Recorded in \(.value(path)); compared from now on.", ko: "\(.value(path))에 기록했고, 이제부터 비교합니다."))
    }
    guard actual.unicodeScalars.elementsEqual(expected.unicodeScalars) else { throw different(actual, expected) }
    return .nothing
  }

  /// The embedded market listens on another port with every start; what is kept names it without one.
  private func lasting(_ text: String, _ session: Session, in context: Context) async throws -> String {
    guard session.server.isEmbedded, text.contains("://") else { return text }
    return text.replacing(try await context.address(of: session).absoluteString, with: "http://embedded")
  }

  private func different(_ actual: String, _ expected: String) -> Failure {
    let now = Expect.lines(actual)
    let then = Expect.lines(expected)
    let number = zip(now, then).prefix { $0 == $1 }.count
    let end = LocalizedText("(the end)", ko: "(끝)")
    func shown(_ lines: [String], _ tongue: MessageLanguage) -> StyledText {
      lines.indices.contains(number) ? "\(.foreign(lines[number]))" : end[tongue]
    }
    return Failure(
      .assertionFailed,
      Message.failure("The output is not that of \(.value(file)).", ko: "출력이 \(.value(file)) 파일과 다릅니다.")
        .because("Line \(number + 1) is: \(shown(now, .english))", ko: "\(number + 1)번째 줄: \(shown(now, .korean))")
        .because("It was: \(shown(then, .english))", ko: "전에는: \(shown(then, .korean))")
        .next("Delete the file to record it anew.", ko: "파일을 지우면 새로 기록합니다."))
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.rows
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}

/// What was seen, as assertions that hold when it is seen again: no numbers and times that a market gives itself.
struct Expectations {
  private static let lasting: [Field] = [.name, .description, .price, .discount, .currency, .stock, .images]

  private let sight: RecordedOutput

  init(_ sight: RecordedOutput) { self.sight = sight }

  var lines: [String] {
    switch sight {
    case .product(let product, let fields):
      return condition(product, fields).map { ["assert " + $0] } ?? []
    case .listing(let page, let fields):
      let total = page.total.map { " and $total = \($0)" } ?? ""
      let rows = page.products.enumerated().compactMap { index, product in
        condition(product, fields).map { "assert \($0) of @\(index + 1)" }
      }
      return ["assert $count = \(page.products.count)" + total] + rows
    case .other: return []
    }
  }

  private func condition(_ product: Product, _ fields: [Field]) -> String? {
    let terms = Expectations.lasting.filter { fields.contains($0) }.compactMap { field -> Language.Expression? in
      let text = field == .images ? product.images.map { String($0.count) } : product.text(of: field)
      guard let text, let literal = Literal(text, for: field, .equal) else { return nil }
      return .compare(.field(field), .equal, literal)
    }
    guard let first = terms.first else { return nil }
    return (terms.count == 1 ? first : .all(terms)).description
  }
}

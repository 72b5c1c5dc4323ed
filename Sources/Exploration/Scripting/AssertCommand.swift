import Catalog
import Engine
import Failures
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `assert`: ends the line with exit status 6 if a condition doesn't hold.
package struct AssertCommand: StaticallyCheckable {
  package static let declaration = CommandDeclaration(
    "assert", group: .scripting,
    summary: LocalizedText("stop if a condition is not met", ko: "조건이 맞지 않으면 중단"),
    usage: [
      "assert EXPR [of TARGETS]", "assert all|any|none EXPR", "assert VALUE matches SHAPE",
      "assert status CODE: COMMAND",
    ],
    details: LocalizedText(
      "Ends the script with exit code 6 if the condition is not met. It checks the last product, the rows of the last list, or values of a response.",
      ko: "조건이 맞지 않으면 스크립트를 종료 코드 6으로 끝냅니다. 마지막 상품, 마지막 목록의 행, 응답의 값을 검사합니다."), traits: [.judgesMissing],
    parameters: [
      Parameter(
        "EXPR", .rest(required: false), .expression,
        LocalizedText(
          "condition for the last product, or between values: $count = 20",
          ko: "마지막 상품에 맞아야 함; 값끼리도 비교: $count = 20")),
      Parameter(
        "of", .option, .target, LocalizedText("check these products instead", ko: "대신 이 상품마다 맞아야 함")),
      Parameter("all", .flag, .none, LocalizedText("every row of the last list must match", ko: "마지막 목록의 모든 행에")),
      Parameter("any", .flag, .none, LocalizedText("at least one row must match", ko: "적어도 한 행에")),
      Parameter("none", .flag, .none, LocalizedText("no row may match", ko: "어느 행에도 맞지 않아야 함")),
      Parameter(
        "value", .option, .text,
        LocalizedText("value to check; may also come first: $p matches …", ko: "비교할 값; $p matches …처럼 앞에 써도 됨"),
        placeholder: "VALUE"),
      Parameter(
        "matches", .option, .line,
        LocalizedText(
          "JSON shape: {\"id\": int, \"name\": text, \"tags\": [text], \"sale\": number?}",
          ko: "JSON 구조: {\"id\": int, \"name\": text, \"tags\": [text], \"sale\": number?}")),
      Parameter(
        "status", .option, .line,
        LocalizedText("CODE: COMMAND; the command must get this HTTP status", ko: "CODE: COMMAND; 서버가 그 상태 코드로 응답함")),
    ],
    examples: [
      .init("assert price = 3500 and stock > 0", "checks the last product", ko: "마지막 상품의 값"),
      .init("assert name ~ 텀블러 of @3", "checks row 3", ko: "3행의 값"),
      .init("assert all price > 0", "checks every row of the last list", ko: "마지막 목록의 모든 행"),
      .init(
        "assert $count = 20", "number of rows; also $total, $page, $pages, $status",
        ko: "행의 수; $total, $page, $pages, $status도"),
      .init("assert $before != _.price", "compares two values", ko: "두 값"),
      .init(
        "assert $p.ms < 300ms", "checks a response: let p = get /api/products", ko: "응답의 값: let p = get /api/products"),
      .init(
        "assert all $p.pages[*].price > 0", "checks every element of a list; also any and none",
        ko: "배열의 모든 원소를 검사; any와 none도 가능"),
      .init(
        "assert $p matches {\"pages\": [{\"id\": int, \"name\": text}]}", "checks the shape of a response",
        ko: "응답의 구조 검사"),
      .init("assert status 404: show 999999", "checks the HTTP status", ko: "서버의 답"),
    ])

  private let assertion: any Assertion

  /// - Throws: `ParseError` for text that is neither a condition nor a status nor a shape.
  package init(_ invocation: ParsedCommand) throws {
    if let text = invocation.text("status") {
      assertion = try StatusAssertion(text)
      return
    }
    if let shape = invocation.text("matches") {
      assertion = try ShapeAssertion(invocation.named("value"), invocation.text("value") ?? "", shape)
      return
    }
    guard let condition = invocation.condition("EXPR") else {
      throw ParseError(
        LocalizedText("\(.command("assert")) needs a condition.", ko: "\(.command("assert"))에는 조건이 있어야 합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("assert price = 3500"))", ko: "예: \(.command("assert price = 3500"))"))
    }
    assertion = try ProductAssertion(
      condition, typed: invocation.text, of: invocation.target("of"),
      quantity: ValueComparison.Quantity.allCases.filter { invocation.has($0.rawValue) })
  }

  /// - Throws: `CommandError` with `.assertionFailed` if it doesn't hold; the errors of reading the products.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    try await assertion.verify(&session, execution.mode, in: context)
    return .empty
  }

  /// - Throws: The first error in its text.
  package func check(_ session: inout Session, in context: CommandContext) throws { try assertion.check(&session, in: context) }
}

/// A claim of a script.
protocol Assertion: Sendable {
  /// Throws `CommandError` with `.assertionFailed` if the claim doesn't hold.
  func verify(_ session: inout Session, _ mode: Execution.Mode, in context: CommandContext) async throws
  /// Throws the first error in its text.
  func check(_ session: inout Session, in context: CommandContext) throws
}

extension Assertion {
  package func check(_ session: inout Session, in context: CommandContext) {}
}

/// The claim that the server responds to a command with a status: `404: show 999999`.
struct StatusAssertion: Assertion {
  private let status: Int
  private let line: String

  init(_ text: String) throws {
    guard let match = text.trimmed.wholeMatch(of: /([1-5][0-9][0-9])\s*:\s*(\S.*)/.dotMatchesNewlines()),
      let status = Int(match.1)
    else {
      throw ParseError(
        LocalizedText("assert status needs a status code and a command.", ko: "상태 코드와 명령을 적어야 합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("assert status 404: show 999999"))",
          ko: "예: \(.command("assert status 404: show 999999"))"))
    }
    self.status = status
    line = String(match.2)
  }

  func verify(_ session: inout Session, _ mode: Execution.Mode, in context: CommandContext) async throws {
    var quiet = context
    quiet.console = MutedConsole(console: context.console, forwardsMessages: false)
    let before = session.lastHTTPStatus
    session.lastHTTPStatus = nil
    var problem: CommandError?
    do {
      try await context.lines.run(line, &session, mode, in: quiet)
    } catch {
      problem = try StatusAssertion.expected(error)
    }
    let answered = session.lastHTTPStatus
    session.lastHTTPStatus = answered ?? before
    if answered == status { return }
    throw failed(answered, problem)
  }

  func check(_ session: inout Session, in context: CommandContext) throws {
    try context.lines.check(line, &session, in: context)
  }

  /// Returns the failure of a rejected command.
  ///
  /// A line that can't be parsed, an unreachable server and an unknown outcome don't prove anything, so their errors
  /// are rethrown.
  private static func expected(_ error: any Error) throws -> CommandError? {
    switch CommandError.exitStatus(of: error) {
    case .usageError, .unreachable, .outcomeUnknown, .interrupted, .hungUp, .quit, .terminated: throw error
    case .success, .refused, .blocked, .assertionFailed, .partialFailure:
      return error is ReportedFailure ? nil : CommandError(describing: error)
    }
  }

  private func failed(_ answered: Int?, _ problem: CommandError?) -> CommandError {
    var message = Message.failure(
      "Assertion failed: \(.command(line)) did not get status \(status).",
      ko: "확인 실패: \(.command(line))의 상태 코드가 \(status, .subject) 아닙니다")
    if let answered {
      message = message.because("The server responded with status \(answered).", ko: "서버는 상태 코드 \(answered)번으로 응답했습니다.")
    } else {
      message = message.because("No request was sent.", ko: "서버에 요청하지 않았습니다.")
    }
    if let problem { message = message.because(problem.message.what) }
    return CommandError(.assertionFailed, message)
  }
}

/// A condition on the last product, on named products, or on the rows of the last listing.
struct ProductAssertion: Assertion {
  private let expression: Condition
  /// The complete command as written.
  private let typed: String
  private let target: ProductSelector?
  private let quantity: ValueComparison.Quantity

  init(_ expression: Condition, typed: String, of target: ProductSelector?, quantity: [ValueComparison.Quantity]) throws {
    guard quantity.count < 2 else {
      throw ParseError(
        LocalizedText("Use only one of all, any and none.", ko: "all, any, none 중 하나만 쓸 수 있습니다."))
    }
    if expression.valueComparisons.contains(where: \.hasElements) {
      guard case .value = expression, !quantity.isEmpty else { throw Word.misplacedElements() }
    }
    self.expression = expression
    self.typed = typed
    self.target = target ?? (quantity.isEmpty ? nil : .allRows)
    self.quantity = quantity.first ?? .all
  }

  func verify(_ session: inout Session, _ mode: Execution.Mode, in context: CommandContext) async throws {
    let me = session.credentials.vendorID.map { Vendor(id: $0) }
    let expression = expression.resolved(at: context.seconds)
    guard !expression.fields.isEmpty else {
      // Only values are compared, so no product is needed.
      if holdsOfValues(expression, me) { return }
      throw failed([])
    }
    let products = try await productsToCheck(&session, in: context)
    let holding = products.filter { expression.holds(for: $0, me: me) }
    switch quantity {
    case .all where holding.count == products.count: return
    case .any where !holding.isEmpty: return
    case .none where holding.isEmpty: return
    case .all: throw failed(products.filter { !expression.holds(for: $0, me: me) })
    case .any: throw failed([]).because(rows: products.count)
    case .none: throw failed(holding)
    }
  }

  private func holdsOfValues(_ expression: Condition, _ me: Vendor?) -> Bool {
    if case .value(let comparison) = expression { return comparison.holds(quantity) == true }
    return expression.holds(for: Product(id: 0), me: me)
  }

  private func productsToCheck(_ session: inout Session, in context: CommandContext) async throws -> [Product] {
    switch target {
    case nil, .last:
      guard let last = session.lastProduct else { throw Word.withoutValue("_") }
      return [last]
    case .allRows, .rows:
      // The rows of the listing are used, not the current state of the market.
      let ids = try Targets(target ?? .allRows).known(in: session)
      return ids.compactMap { id in session.lastListing?.page.products.first { $0.id == id } }
    case .ids, .mine, .matching:
      var products: [Product] = []
      let market = try await context.marketClient(&session)
      for id in try await Targets(target ?? .last).ids(from: market, session, in: context) {
        products.append(try await market.send(GetProduct(id)))
      }
      return products
    }
  }

  private func failed(_ products: [Product]) -> CommandError {
    var message = Message.failure("Assertion failed: \(.command(typed))", ko: "확인 실패: \(.command(typed))")
    for reason in reasons(expression) { message = message.because(reason) }
    for product in products.prefix(3) { message = message.because(description(of: product)) }
    if products.count > 3 {
      message = message.because("and \(products.count - 3) more", ko: "그 밖에 \(products.count - 3)개")
    }
    return CommandError(.assertionFailed, message)
  }

  /// Returns the values that made it fail, or for a computed comparison its two sides.
  private func reasons(_ expression: Condition, isNegated: Bool = false) -> [LocalizedText] {
    switch expression {
    case .compare, .isIn: return []
    case .compareFormulas where !expression.fields.isEmpty: return []
    case .compareFormulas: return [LocalizedText(same: "\(.value(expression.description))")]
    case .not(let term): return reasons(term, isNegated: !isNegated)
    case .all(let terms), .any(let terms): return terms.flatMap { reasons($0, isNegated: isNegated) }
    case .value(let comparison):
      if !comparison.hasElements, comparison.holds() == !isNegated { return [] }
      let offenders = comparison.offenders(quantity)
      if offenders.isEmpty { return [LocalizedText(same: "\(.value(comparison.description))")] }
      let most = 5
      let shown = offenders.prefix(most).map { element in
        guard let value = element.value else {
          return LocalizedText("\(.field(element.path)) does not exist.", ko: "\(.field(element.path), .topic) 없습니다.")
        }
        return LocalizedText(
          "\(.field(element.path)) is \(.foreign(value.shortened)).",
          ko: "\(.field(element.path)) 값: \(.foreign(value.shortened))")
      }
      let more = offenders.count - most
      return more > 0 ? shown + [LocalizedText("and \(more) more", ko: "그 밖에 \(more)개")] : shown
    }
  }

  /// Returns the fields that were tested: `Product 42: price 4000, stock 0`.
  private func description(of product: Product) -> LocalizedText {
    let fields = ProductField.allCases.filter(expression.fields.contains)
    let values = fields.map { "\($0) \(product.text(of: $0) ?? "-")" }.joined(separator: ", ")
    return LocalizedText("Product \(product.id): \(.foreign(values))", ko: "\(product.id)번 상품: \(.foreign(values))")
  }
}

extension CommandError {
  fileprivate func because(rows count: Int) -> CommandError {
    CommandError(exitStatus, message.because("None of the \(count) rows match.", ko: "\(count)행 중 조건에 맞는 것이 없습니다."))
  }
}

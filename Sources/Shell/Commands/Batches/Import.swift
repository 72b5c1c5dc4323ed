import Catalog
import Foundation
import Language
import Marketplace
import Networking
import Presentation
import Text

/// `import`: a file of products as a batch: a row with an id changes that product, a row without one makes a product.
struct Import: EditCommand {
  static let declaration = Declaration(
    "import", group: .products, summary: Wording("change and make products from a file", ko: "파일로 상품을 바꾸고 만들기"),
    writes: true, prints: true,
    parameters: [
      Parameter(
        "FILE", .positional(required: true), .file,
        Wording(
          "CSV with a header, or JSON lines; a blank cell leaves the field alone, - empties it",
          ko: "머리글이 있는 CSV나 JSON lines; 빈 칸은 그대로, -는 비움")),
      .showingAll,
    ],
    examples: [
      .init("import market.csv", "what export wrote, after editing", ko: "내보낸 것을 고친 뒤"),
      .init("dry import new.jsonl all", "every change, and nothing is sent", ko: "모든 변경을 보기만"),
    ])

  /// Bytes; enough for half a million rows.
  private static let mostBytes = 256 << 20

  let consent: Consent
  private let file: String

  init(_ invocation: Invocation) {
    consent = Consent(invocation)
    file = invocation.text("FILE") ?? ""
  }

  func plan(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Plan {
    let path = Paths.expanded(file, home: context.environment["HOME"])
    let text = try SteadyFile.text(path, limit: Import.mostBytes)
    // The edition says what its own field names mean.
    _ = try await context.market(&session)
    var problems = ImportProblems(file)
    let rows = rows(of: text, session.place.fieldNames, &problems)
    let planner = ImportPlanner(rows, session, home: context.environment["HOME"])
    planner.checkIDs(&problems)
    planner.checkValues(&problems)
    try problems.check()
    let products = try await ImportedProducts(rows).read(&session, in: context)
    let plan = planner.plan(products, &problems)
    try problems.check()
    for remark in planner.remarks { context.say(remark, session) }
    for currency in planner.unknownCurrencies(in: plan) {
      try await UnknownCurrency(currency).admit(consent, session, context)
    }
    return plan
  }

  private func rows(of text: String, _ names: FieldNames, _ problems: inout ImportProblems) -> [ImportRow] {
    let kind = OutputFormat(ending: file)
    let beginsAsObject = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "{"
    return kind == .jsonl || kind == .json || (kind != .csv && beginsAsObject)
      ? ImportJSONLines(names: names).rows(of: text, &problems) : ImportCSV(names: names).rows(of: text, &problems)
  }
}

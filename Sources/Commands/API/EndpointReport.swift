import Catalog
import Networking
import Presentation
import Text

/// The reports of `api`: the table of the operations, and everything about one of them.
struct EndpointReport {
  let guide: EndpointGuide
  /// The beginning of the URLs.
  let base: String
  let language: MessageLanguage

  // MARK: The table

  /// The requests of all operations.
  var overview: Report {
    .rows(
      Table(
        [
          .init("endpoint", LocalizedText("endpoint", ko: "엔드포인트")),
          .init("request", LocalizedText("request", ko: "요청"), minimumWidth: 36),
          .init("purpose", LocalizedText("purpose", ko: "용도"), minimumWidth: 24),
          .init("input", LocalizedText("input", ko: "보낼 값"), minimumWidth: 24, dropOrder: 1),
        ],
        rows: guide.operations.flatMap { operation in
          guide.steps(operation).map { step in
            [
              .text(operation.rawValue), .text(step.request), .localized(step.purpose), .text(step.input),
            ]
          }
        }))
  }

  // MARK: One operation

  /// The response of the market to an operation that reads, and the product of the examples.
  struct Sample {
    var response: JSON?
    /// A product that the market sent, if the response to the operation has the same type.
    var similar: JSON?
    var product: Int64
  }

  /// Returns everything about an operation.
  func details(_ operation: EndpointGuide.Operation, with sample: Sample, _ options: RenderOptions) -> Figure {
    var lines: [[Figure.Run]] = []
    for step in guide.steps(operation) {
      lines.append([run(step.request, .bold), run("  " + step.purpose[language].plain, .dim)])
    }
    let inputs = guide.inputs(operation)
    section(LocalizedText("Request", ko: "요청"), inputs.map(row), in: &lines, options)
    for record in guide.outputs(operation) {
      let title = LocalizedText("Response: \(record.name)", ko: "응답: \(record.name)")
      section(title, record.members.map(row), in: &lines, options)
    }
    let refusals = guide.refusals(operation).map { [String($0.status), $0.meaning[language].plain] }
    section(LocalizedText("Errors", ko: "오류"), refusals, in: &lines, options)
    let curl = guide.curl(operation, product: sample.product, at: base)
    code(LocalizedText(same: "curl"), curl, in: &lines)
    let swift = guide.swift(operation, product: sample.product)
    if let swift { code(LocalizedText(same: "Swift"), swift, in: &lines) }
    if let json = sample.response ?? sample.similar {
      let title = sample.response == nil ? EndpointReport.similar : EndpointReport.response
      lines += [[], [run(title[language].plain, .bold)]]
      lines += IndentedJSON(json).lines.map { [run("  ")] + $0 }
    }
    return Figure(
      lines, table: table(operation, curl: curl, swift: swift),
      json: json(of: operation, sample: sample, curl: curl, swift: swift))
  }

  private static let response = LocalizedText("Response of this market", ko: "이 마켓의 응답")
  private static let similar = LocalizedText("Such a response, of a product here", ko: "이런 응답의 예: 이 마켓의 상품")

  private func run(_ text: String, _ style: Figure.Style = .plain) -> Figure.Run {
    Figure.Run(Sanitizer.sanitized(text, limit: 4_000), style)
  }

  /// Returns the cells of a value of a request.
  private func row(_ input: EndpointGuide.Input) -> [String] {
    let optional = input.isOptional ? LocalizedText(" (optional)", ko: "(선택)")[language].plain : ""
    return [
      input.name, input.place[language].plain, input.field?.rawValue ?? "", input.type[language].plain,
      input.meaning[language].plain + optional,
    ]
  }

  /// Returns the cells of a member of a response.
  private func row(_ member: EditionModel.Member) -> [String] {
    let optional = member.isOptional ? LocalizedText(" (may be missing)", ko: "(없을 수 있음)")[language].plain : ""
    return [
      member.key, member.field?.rawValue ?? "", member.type.json[language].plain,
      member.meaning[language].plain + optional,
    ]
  }

  /// Adds a heading with rows in columns, the last of which is wrapped; without rows nothing.
  private func section(
    _ title: LocalizedText, _ rows: [[String]], in lines: inout [[Figure.Run]], _ options: RenderOptions
  ) {
    guard let first = rows.first else { return }
    lines += [[], [run(title[language].plain, .bold)]]
    let columns = first.indices.dropLast().map { column in
      let width = rows.map { options.cells.of($0[column]) }.max() ?? 0
      return width == 0 ? 0 : width + 2
    }
    let indent = 2 + columns.reduce(0, +)
    let width = options.paragraphWidth(indent: indent)
    for row in rows {
      let head = "  " + zip(row, columns).map { options.cells.aligned($0, to: $1) }.joined()
      let wrapped = Figure.paragraph("\(.foreign(row[row.count - 1]))", width: width, options)
      for (index, line) in wrapped.enumerated() {
        lines.append([run(index == 0 ? head : String(repeating: " ", count: indent))] + line)
      }
    }
  }

  private func code(_ title: LocalizedText, _ text: String, in lines: inout [[Figure.Run]]) {
    lines += [[], [run(title[language].plain, .bold)]]
    lines += text.split(separator: "\n").map { [run("  " + $0)] }
  }

  // MARK: Data

  /// The values of an operation as rows: those of the request, those of the response, the refusals and the examples.
  private func table(_ operation: EndpointGuide.Operation, curl: String, swift: String?) -> Table {
    let requests = guide.inputs(operation).map { input in
      ["request", input.name, input.field?.rawValue ?? "", input.meaning[language].plain]
    }
    let responses = guide.outputs(operation).flatMap { record in
      record.members.map { ["response", $0.key, $0.field?.rawValue ?? "", $0.meaning[language].plain] }
    }
    let refusals = guide.refusals(operation).map { ["error", String($0.status), "", $0.meaning[language].plain] }
    let examples = [["curl", "", "", curl]] + (swift.map { [["swift", "", "", $0]] } ?? [])
    return Table(
      [
        .init("part", LocalizedText("part", ko: "구분")), .init("name", LocalizedText("name", ko: "이름")),
        .init("field", LocalizedText("field", ko: "필드")), .init("text", LocalizedText("text", ko: "내용")),
      ],
      rows: (requests + responses + refusals + examples).map { row in row.map { .text($0) } })
  }

  private func json(
    of operation: EndpointGuide.Operation, sample: Sample, curl: String, swift: String?
  ) -> String {
    func text(_ text: LocalizedText) -> JSON { .string(text[language].plain) }
    func field(_ field: ProductField?) -> JSON { field.map { .string($0.rawValue) } ?? .null }
    let steps = guide.steps(operation).map { step in
      JSON.object([("request", .string(step.request)), ("purpose", text(step.purpose))])
    }
    let inputs = guide.inputs(operation).map { input in
      JSON.object([
        ("name", .string(input.name)), ("in", text(input.place)), ("field", field(input.field)),
        ("type", text(input.type)), ("meaning", text(input.meaning)), ("optional", .bool(input.isOptional)),
      ])
    }
    let outputs = guide.outputs(operation).map { record in
      JSON.object([
        ("type", .string(record.name)),
        (
          "members",
          .array(
            record.members.map { member in
              JSON.object([
                ("name", .string(member.key)), ("field", field(member.field)), ("type", text(member.type.json)),
                ("meaning", text(member.meaning)), ("optional", .bool(member.isOptional)),
              ])
            })
        ),
      ])
    }
    let refusals = guide.refusals(operation).map { refusal in
      JSON.object([("status", .int(refusal.status)), ("meaning", text(refusal.meaning))])
    }
    return JSON.object([
      ("endpoint", .string(operation.rawValue)), ("requests", .array(steps)), ("input", .array(inputs)),
      ("output", .array(outputs)), ("errors", .array(refusals)), ("curl", .string(curl)),
      ("swift", swift.map { .string($0) } ?? .null), ("response", sample.response ?? .null),
      ("example", sample.similar ?? .null),
    ]).serialized
  }
}

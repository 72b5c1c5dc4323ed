import Catalog
import Foundation
import MarketAPI
import Networking
import Presentation
import Text

/// The Swift source of an edition for an app: types of responses and requests, a client, and samples of the market for
/// previews.
struct SwiftModelWriter {
  /// A response of the market that previews can show.
  struct Sample {
    /// The property in Swift.
    let name: String
    /// The type in Swift.
    let type: String
    let json: JSON
  }

  let model: EditionModel
  let base: URL
  let language: MessageLanguage
  /// The responses of the market, each of which has the structure of its type.
  let samples: [Sample]

  var text: String {
    let head = [
      "// The API of edition \(model.edition.rawValue) of the Open Market, written by openmarket.",
      "import Foundation", "", "#if canImport(FoundationNetworking)", "  import FoundationNetworking", "#endif",
    ]
    let sections =
      [head] + model.responses.map { type($0) } + [model.creation, model.change].map(input)
      + SwiftModelClient(model.edition, base: base).sections + (samples.isEmpty ? [] : [fixtures])
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  // MARK: Types

  /// Returns the lines of the type of a response.
  private func type(_ record: EditionModel.Record) -> [String] {
    let hasID = record.members.contains { $0.key == "id" }
    let protocols = ["Codable", "Hashable"] + (hasID ? ["Identifiable"] : []) + ["Sendable"]
    var lines = comment(record.meaning) + ["struct \(record.name): \(protocols.joined(separator: ", ")) {"]
    for member in record.members {
      lines += comment(member.meaning).map { "  " + $0 }
      lines.append("  let \(member.property): \(member.type.swift)\(member.isOptional ? "?" : "")")
    }
    lines += codingKeys(record.members)
    lines += day(of: record)
    return lines + ["}"]
  }

  /// Returns the lines of a computed date of the product's creation.
  private func day(of record: EditionModel.Record) -> [String] {
    guard let created = record.members.first(where: { $0.field == .created }) else { return [] }
    let meaning =
      created.type == .seconds
      ? LocalizedText("the time of the creation", ko: "등록한 시각")
      : LocalizedText("the day of the creation, in UTC", ko: "등록일(UTC)")
    let value =
      created.type == .seconds
      ? ["  var created: Date { Date(timeIntervalSince1970: \(created.property)) }"]
      : [
        "  var created: Date? {",
        "    try? Date(String(\(created.property).prefix(10)), strategy: .iso8601.year().month().day())", "  }",
      ]
    return [""] + comment(meaning).map { "  " + $0 } + value
  }

  /// Returns the lines of the type of a request.
  private func input(_ record: EditionModel.Record) -> [String] {
    let isForm = model.isForm
    let protocols = isForm ? "Hashable, Sendable" : "Encodable, Hashable, Sendable"
    var lines = comment(record.meaning) + ["struct \(record.name): \(protocols) {"]
    for member in record.members {
      lines += comment(member.meaning).map { "  " + $0 }
      lines.append("  var \(member.property): \(member.type.swift)\(member.isOptional ? "?" : "")")
    }
    guard isForm else { return lines + codingKeys(record.members) + ["}"] }
    lines += ["", "  /// The fields of the form.", "  var fields: [(name: String, value: String?)] {", "    ["]
    lines += record.members.map { member in
      let isText = member.type == .text
      let value =
        switch (isText, member.isOptional) {
        case (true, _): member.property
        case (false, true): "\(member.property).map { \"\\($0)\" }"
        case (false, false): "\"\\(\(member.property))\""
        }
      return "      (\(SwiftCodeGenerator.literal(member.key)), \(value)),"
    }
    return lines + ["    ]", "  }", "}"]
  }

  /// Returns the coding keys, if a property is not named as its key.
  private func codingKeys(_ members: [EditionModel.Member]) -> [String] {
    guard members.contains(where: { $0.property != $0.key }) else { return [] }
    let cases = members.map { member in
      member.property == member.key
        ? "    case \(member.property)" : "    case \(member.property) = \(SwiftCodeGenerator.literal(member.key))"
    }
    return ["", "  enum CodingKeys: String, CodingKey {"] + cases + ["  }"]
  }

  /// Returns the lines of a documentation comment.
  private func comment(_ meaning: LocalizedText) -> [String] {
    let text = meaning[language].plain
    return ["/// " + text.prefix(1).uppercased() + text.dropFirst() + "."]
  }

  // MARK: Samples

  /// Returns the lines of the samples, whose JSON is a literal without escapes that could run code.
  private var fixtures: [String] {
    var lines = ["/// Responses of this market, for previews and tests.", "enum Fixtures {"]
    for sample in samples {
      lines.append("  static let \(sample.name) = decoded(\(sample.type).self, \(sample.name)JSON)")
    }
    lines += [
      "", "  private static func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) -> Value {",
      "    try! JSONDecoder().decode(type, from: Data(json.utf8))", "  }",
    ]
    for sample in samples {
      lines += ["", "  static let \(sample.name)JSON = \"\"\""]
      lines += SwiftModelWriter.literalLines(IndentedJSON(sample.json).text).map { "    " + $0 }
      lines.append("    \"\"\"")
    }
    return lines + ["}"]
  }

  /// Returns the lines of a literal between `"""`.
  ///
  /// A backslash is doubled, so that no text of a server is an interpolation. Valid JSON has no three quotes in a row.
  private static func literalLines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(SwiftCodeGenerator.literal(String(line)).dropFirst().dropLast()).replacing("\\\"", with: "\"")
    }
  }
}

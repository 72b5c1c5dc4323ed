import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// A JSON file of which a description is derived: an OpenAPI document or a saved response.
struct DerivationSource {
  /// The name of the file in messages.
  let name: String
  private let document: JSON

  /// The maximum size of a file in bytes.
  private static let limit = 32 << 20

  /// Reads a JSON document, which may be an OpenAPI document or a saved response.
  ///
  /// - Throws: `FileError` if it can't be read, `CommandError` if it isn't JSON.
  init(_ file: String, home: String?) throws {
    let path = Paths.expanded(file, home: home)
    let bytes = try StableFileReader.data(path, limit: DerivationSource.limit)
    let name = URL(filePath: path).lastPathComponent
    try self.init(bytes, named: name)
  }

  /// - Throws: `CommandError` if the bytes aren't JSON.
  init(_ bytes: Data, named name: String) throws {
    self.name = name
    do {
      document = try JSON(parsingUntilCancelled: bytes)
    } catch {
      try Task.checkCancellation()
      throw DerivationSource.notJSON(bytes, named: name, error)
    }
  }

  private static func notJSON(_ bytes: Data, named name: String, _ error: JSONSyntaxError) -> CommandError {
    let what = LocalizedText("\(.value(name)) is not JSON.", ko: "\(.value(name), .topic) JSON이 아닙니다.")
    if error.isTooDeep {
      return .underivable(what, LocalizedText("It is nested too deeply.", ko: "너무 깊이 중첩되었습니다."))
    }
    let start = String(decoding: bytes.prefix(4_096), as: UTF8.self)
    let isYAML =
      [".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
      || start.lines.contains { line in ["openapi:", "swagger:", "---"].contains { line.hasPrefix($0) } }
    guard isYAML else {
      return .underivable(
        what,
        LocalizedText("Byte \(error.offset + 1) is not one of JSON.", ko: "\(error.offset + 1)번째 바이트가 JSON이 아닙니다."))
    }
    let file = POSIXWord.quoted(name)
    return .underivable(
      what, LocalizedText("It is YAML, and only JSON is read.", ko: "YAML 파일인데, JSON만 읽습니다."),
      next: LocalizedText(
        "Convert it with \(.command("yq -o json \(file) > openapi.json")).",
        ko: "\(.command("yq -o json \(file) > openapi.json"), .toward) 바꾸세요."))
  }

  /// Returns the text of a description.
  ///
  /// - Throws: `CommandError` for documents that don't belong together, or of which none can be made.
  static func text(of sources: [DerivationSource]) throws(CommandError) -> LocalizedText {
    guard let first = sources.first else { return LocalizedText(same: "") }
    let second = sources.dropFirst().first
    if let openAPI = sources.first(where: { OpenAPIDocument.isOne($0.document) }) {
      guard second == nil else {
        throw .underivable(
          LocalizedText(
            "\(.value(openAPI.name)) is an OpenAPI document, and there are two files.",
            ko: "\(.value(openAPI.name), .topic) OpenAPI 문서인데, 파일이 두 개입니다."),
          LocalizedText("A document is read alone.", ko: "문서는 하나만 읽습니다."),
          next: LocalizedText(
            "Run \(.command("api from \(openAPI.name)")).",
            ko: "\(.command("api from \(openAPI.name)"), .object) 실행하세요."))
      }
      return try OpenAPIDerivation.text(of: first.document)
    }
    return try ResponseDerivation.text(of: first.document, product: second?.document)
  }
}

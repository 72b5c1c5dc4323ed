import ArgumentParser
import Commands
import Engine
import Language
import Marketplace
import Shell

extension StartOptions {
  /// Throws a `ValidationError` for a word that is no edition or format.
  init(_ arguments: OpenMarket) throws {
    self.init()
    profile = arguments.profile
    url = arguments.url
    edition = try StartOptions.choice(arguments.api, "api")
    format = try StartOptions.choice(arguments.format, "format")
    language = arguments.lang
    readOnly = arguments.readOnly
    keepGoing = arguments.keepGoing
    noColor = arguments.noColor
    ascii = arguments.ascii
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String?, _ option: String
  ) throws -> Value? {
    guard let text else { return nil }
    if let value = Value(rawValue: text) { return value }
    let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--\(option) is one of \(choices), not '\(text)'.")
  }
}

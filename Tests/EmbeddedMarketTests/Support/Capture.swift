import Foundation
import TestSupport

@testable import EmbeddedMarket

/// A captured response of one of the real servers.
enum Capture {
  static func text(_ name: String) throws -> String { try Golden(name, in: "MarketAPITests/Captures").text() }

  static func json(_ name: String) throws -> WireJSON { try WireJSONReader.read(try text(name).utf8) }
}

extension WireJSON {
  /// The names of the members in order; for an array, those of its first element.
  var keys: [String] {
    switch self {
    case .object(let members): members.map(\.key)
    case .list(let values): values.first?.keys ?? []
    case .null, .bool, .number, .text: []
    }
  }

  init(_ answer: Conversation.Answer) throws { self = try WireJSONReader.read(answer.body) }
}

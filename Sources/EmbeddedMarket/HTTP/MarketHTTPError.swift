import NIOHTTP1

/// An error response; each edition encodes it in its own format.
struct MarketHTTPError: Error, Hashable, Sendable {
  var status: Int
  /// The message in the wording of Spring, the framework of the servers of 2022.
  var message: String
  /// The message in the wording of Vapor, the framework of the camp servers, or `nil` if the message is not a
  /// framework's.
  var vaporMessage: String?
  /// The message with `…` in place of what differs from request to request, or `nil` if nothing does.
  ///
  /// The report of the class counts by it.
  var pattern: String?
  /// The details for the teacher besides the message: they are in the log and the report, and are not sent.
  var detail: String?
  /// The methods that the path supports, for a 405.
  var allowed: [String] = []

  init(_ status: Int, _ message: String, vaporMessage: String? = nil, pattern: String? = nil) {
    self.status = status
    self.message = message
    self.vaporMessage = vaporMessage
    self.pattern = pattern
  }

  /// The error with the message by which the report counts.
  var general: MarketHTTPError {
    var general = self
    general.message = pattern ?? message
    return general
  }

  /// The error of a deliberate fault, with the name of its status (RFC 9110).
  static func deliberate(_ status: Int) -> MarketHTTPError {
    MarketHTTPError(status, "\(HTTPResponseStatus(statusCode: status).reasonPhrase) (a deliberate fault)")
  }

  static func tooLarge(_ limit: Int) -> MarketHTTPError {
    MarketHTTPError(413, "Maximum upload size of \(limit) bytes exceeded", vaporMessage: "Payload Too Large")
  }

  static func malformed(_ message: String, vapor: String? = nil, pattern: String? = nil) -> MarketHTTPError {
    MarketHTTPError(400, message, vaporMessage: vapor, pattern: pattern)
  }

  /// The error of a text that the database would keep only up to its NUL.
  ///
  /// The behavior of the real servers is not known.
  static func nul(_ key: String) -> MarketHTTPError { malformed("\(key): must not contain the character U+0000") }

  static func missing(_ key: String) -> MarketHTTPError {
    malformed("\(key): must not be null", vapor: "Value required for key '\(key)'.")
  }

  static func missingPart(_ name: String) -> MarketHTTPError {
    malformed("Required request part '\(name)' is not present", vapor: "Value required for key '\(name)'.")
  }

  static func noNumber(_ text: String, _ name: String) -> MarketHTTPError {
    malformed(
      "Failed to convert value of type 'String' to required type 'int'; For input string: \"\(text)\"",
      vapor: "Value of type 'Int' required for key '\(name)'.")
  }
}

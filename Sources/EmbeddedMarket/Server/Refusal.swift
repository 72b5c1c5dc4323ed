/// Why a request is not answered with what it asked for; each edition spells it its own way.
struct Refusal: Error, Hashable, Sendable {
  var status: Int
  var message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  static func tooLarge(_ limit: Int) -> Refusal {
    Refusal(413, "Maximum upload size of \(limit) bytes exceeded")
  }

  static func malformed(_ message: String) -> Refusal { Refusal(400, message) }
}

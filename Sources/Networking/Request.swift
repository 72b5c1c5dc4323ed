/// What is to be asked, as an inert value: relative to a service's address, comparable, printable without its secrets.
package struct Request: Hashable, Sendable {
  package var method: Method
  /// Segments are percent-encoded when the address is made, so an id with `/` or `..` stays one segment.
  package var path: [String]
  package var query: [QueryItem]
  package var headers: [Header]
  package var body: Body
  /// Every secret used in this request, with the variable a curl line reads it from; masked by value wherever it is printed.
  package var secrets: [NamedSecret]
  /// The longest answer that is taken, in bytes; a longer one ends as `TransportFailure.Reason.tooLarge`.
  package var answerLimit: Int
  /// Set where the answer is itself a key, as the address that deletes a product: the variable that a curl line keeps it
  /// in. The key is masked wherever the exchange is shown or kept.
  package var answeredSecret: String?
  /// Asks for a connection of its own, so that look-up, connect and TLS can be told apart.
  package var isMeasured = false

  package init(
    _ method: Method, _ path: [String], query: [QueryItem] = [], headers: [Header] = [], body: Body = .none,
    secrets: [NamedSecret] = [], answerLimit: Int = Request.usualAnswerLimit
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.secrets = secrets
    self.answerLimit = answerLimit
  }

  /// 8 MiB.
  package static let usualAnswerLimit = 8 << 20
}

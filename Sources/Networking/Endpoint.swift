/// One call of an API as a value: how it is asked and how its answer is read. Sending is someone else's business.
///
/// `API` ties it to its service: a weather endpoint cannot be sent to a market, it does not compile.
package protocol Endpoint<Answer>: Sendable {
  associatedtype API: Service
  associatedtype Answer: Sendable
  func request(to service: API) throws -> Request
  /// Reads a complete answer, of any status; throws the service's own error for what is not a success.
  func answer(from reply: Reply, of service: API) throws -> Answer
}

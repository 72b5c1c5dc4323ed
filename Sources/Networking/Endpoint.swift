/// One API call as a value: how to make its request and how to decode its response.
///
/// A `Client` sends it.
///
/// `API` ties the endpoint to its service: sending a weather endpoint to a market does not compile.
package protocol Endpoint<Output>: Sendable {
  associatedtype API: Service
  associatedtype Output: Sendable
  /// Makes the request for this call.
  ///
  /// - Throws: The service's own error if the service does not support the call or a credential is missing. Nothing was
  ///   sent then.
  func makeRequest(to service: API) throws -> Request
  /// Decodes a complete response with any status.
  ///
  /// - Throws: The service's own error if the status is not a success or the body cannot be decoded.
  func decode(from reply: Response, of service: API) throws -> Output
}

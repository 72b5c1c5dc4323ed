import Foundation

/// The multipart form that a call carries.
struct Form: Sendable {
  let parts: Multipart

  init(_ call: Call) throws(Refusal) {
    guard let type = call.contentType.flatMap({ HeaderValue($0) }), type.value.lowercased() == "multipart/form-data"
    else {
      throw .malformed("Current request is not a multipart request")
    }
    guard let boundary = type["boundary"], (1...70).contains(boundary.utf8.count) else {
      throw Form.unreadable("the request was rejected because no multipart boundary was found")
    }
    do {
      parts = try Multipart(call.body, boundary: boundary)
    } catch {
      throw Form.unreadable(error.what)
    }
  }

  private static func unreadable(_ what: String) -> Refusal {
    .malformed("Failed to parse multipart servlet request; nested exception is java.io.IOException: \(what)")
  }
}

import Foundation

/// The multipart form of a request.
struct MultipartForm: Sendable {
  let parts: MultipartBody

  init(_ call: RequestContext, as reader: MultipartBody.Reader) throws(MarketHTTPError) {
    guard let type = call.contentType.map({ HeaderValue($0) }), type.value.lowercased() == "multipart/form-data" else {
      throw .malformed("Current request is not a multipart request")
    }
    guard let boundary = type["boundary"], !boundary.isEmpty else {
      throw MultipartForm.unreadable("the request was rejected because no multipart boundary was found")
    }
    guard boundary.utf8.count <= MultipartBody.maximumBoundaryBytes else {
      throw MultipartForm.unreadable("the boundary has more than \(MultipartBody.maximumBoundaryBytes) characters")
    }
    do {
      parts = try MultipartBody(call.body, boundary: boundary, as: reader)
    } catch {
      throw MultipartForm.unreadable(error.what)
    }
  }

  private static func unreadable(_ what: String) -> MarketHTTPError {
    .malformed(
      "Failed to parse multipart servlet request; nested exception is java.io.IOException: \(what)",
      vapor: "Multipart data is not formatted correctly: \(what)")
  }
}

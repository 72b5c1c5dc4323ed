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
    do {
      parts = try MultipartBody(call.body, boundary: boundary, as: reader)
    } catch {
      throw MultipartForm.unreadable(error.what)
    }
  }

  /// Returns what is wrong with the frame of a refused form, or `nil` if nothing is, or if the request has no form.
  ///
  /// A reader of forms takes a delimiter that it does not recognize for content, and complains of what it missed then.
  static func fault(of call: RequestContext) async -> String? {
    guard let type = call.contentType.map({ HeaderValue($0) }), type.value.lowercased().hasPrefix("multipart/"),
      let boundary = type["boundary"], !boundary.isEmpty, !call.body.isEmpty
    else { return nil }
    return try? await call.decode { MultipartBody.fault(in: $0.body, boundary: boundary) }
  }

  private static func unreadable(_ what: String) -> MarketHTTPError {
    .malformed(
      "Failed to parse multipart servlet request; nested exception is java.io.IOException: \(what)",
      vapor: "Multipart data is not formatted correctly: \(what)")
  }
}

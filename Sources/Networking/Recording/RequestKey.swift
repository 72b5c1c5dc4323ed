import Foundation

extension RequestKey {
  var isRead: Bool { RequestMethod(rawValue: method)?.isSafe ?? false }

  /// One path is a prefix of the other: a write to `/products/7` may change what `/products` and `/products/7/x` answer.
  func overlaps(_ other: RequestKey) -> Bool { zip(steps, other.steps).allSatisfy { $0 == $1 } }

  private var steps: [Substring] { url.prefix { $0 != "?" }.split(separator: "/") }
}

/// A request as a recording identifies it: method, address and body, with dots in place of secrets and without what is
/// new in every request (boundaries, operations, the bytes of files).
package struct RequestKey: Hashable, Sendable {
  package var method: String
  package var url: String
  package var body: String

  /// - Parameter url: absolute; it is compared without its percent-encoding.
  package init(method: String, url: String, body: String) {
    self.method = method
    self.url = url.removingPercentEncoding ?? url
    self.body = body
  }

  package init(_ request: Request, to base: URL) {
    let masker = SecretRedactor(request.secrets)
    let url = (try? request.url(at: base)) ?? base.absoluteString + request.target
    let body =
      switch request.body {
      case .none: ""
      case .data(let data, _): String(validating: data, as: UTF8.self).map(masker.mask) ?? ""
      case .multipart(let form):
        RequestKey.body(
          of: form.parts.map { part in
            (part.name, part.fileName == nil ? masker.mask(String(decoding: part.content, as: UTF8.self)) : nil)
          })
      }
    self.init(method: request.method.rawValue, url: masker.mask(url), body: body)
  }

  /// A form as one text; files, which archives do not hold, count by the name of their part.
  package static func body(of form: [(name: String, text: String?)]) -> String {
    form.map { $0.name + ($0.text.map { "=" + $0 } ?? "") }.joined(separator: "\n")
  }
}

import Networking
import Text

/// A response as seen by the checks, which may be missing.
struct CheckedResponse {
  let reply: Response?
  let failure: String
  let json: JSON?

  init(_ reply: Response) {
    self.reply = reply
    failure = ""
    json = try? JSON(parsing: reply.body)
  }

  init(failure: String) {
    reply = nil
    self.failure = failure
    json = nil
  }

  var status: Int? { reply?.status }
  var isSuccess: Bool { reply?.isSuccess == true }
  var object: JSONObject? { json?.object }

  /// The status and media type: `200 application/json`.
  var summary: String {
    guard let reply else { return failure }
    let type = reply.header("Content-Type")?.split(separator: ";").first.map { String($0).trimmed } ?? ""
    return type.isEmpty ? "\(reply.status)" : "\(reply.status) \(type)"
  }

  var isJSON: Bool { summary.hasSuffix(" application/json") && json != nil }
}

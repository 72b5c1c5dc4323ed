import Networking
import Text

/// A response as seen by the checks, which may be missing.
struct CheckedResponse {
  let reply: Response?
  let trouble: String
  let json: JSON?

  init(_ reply: Response) {
    self.reply = reply
    trouble = ""
    json = try? JSON(parsing: reply.body)
  }

  init(trouble: String) {
    reply = nil
    self.trouble = trouble
    json = nil
  }

  var status: Int? { reply?.status }
  var isSuccess: Bool { reply?.isSuccess == true }
  var object: JSONObject? { json?.object }

  /// The status and media type: `200 application/json`.
  var summary: String {
    guard let reply else { return trouble }
    let type = reply.header("Content-Type")?.split(separator: ";").first.map { String($0).trimmed } ?? ""
    return type.isEmpty ? "\(reply.status)" : "\(reply.status) \(type)"
  }

  var isJSON: Bool { summary.hasSuffix(" application/json") && json != nil }
}

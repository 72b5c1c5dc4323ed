import EmbeddedMarket
import Text

/// The requests to try of an API that a file describes.
///
/// The names are those of a file from an unknown author, so each is quoted for the shell that the lines are pasted into.
struct DescribedExamples: ServedExamples {
  let api: ServedDescription
  /// The beginning of the URLs, without a trailing slash.
  let base: String

  var read: String {
    let limit = api.list.page.limit.map { ["\(PercentEncoding.query($0))=3"] } ?? []
    return "curl " + url(api.list.path, limit)
  }

  var creation: String? { api.create.map { request($0, id: nil, body: api.exampleCreation) } }

  func change(of id: Int64) -> String? { api.update.map { request($0, id: id, body: api.exampleChange(of: id)) } }

  func deletion(of id: Int64) -> String? { api.delete.map { request($0, id: id, body: nil) } }

  var shell: String {
    let exports = ServedAPI.described(api).loginVariables.map { "export OPENMARKET_\($0)='…'" }
    let start = "openmarket --url \(POSIXWord.quoted(base)) --api \(POSIXWord.quoted(api.file))"
    return (exports + [start]).joined(separator: "\n")
  }

  private func request(_ call: ServedDescription.Call, id: Int64?, body: String?) -> String {
    func filled(_ text: String) -> String {
      text.replacing("{id}", with: id.map { String($0) } ?? "").replacing("{operation}", with: "1")
    }
    let query = call.query.sorted { $0.key < $1.key }.map { name, value in
      PercentEncoding.query(name) + "=" + PercentEncoding.query(filled(value))
    }
    let method = call.methods.first ?? "POST"
    var lines = ["curl -X \(method) \(url(call.path.map(filled), query, isWrite: true))"]
    switch api.login {
    case .none, .query: break
    case .basic: lines.append("-u \"$OPENMARKET_IDENTIFIER:$OPENMARKET_SECRET\"")
    case .bearer: lines.append("-H \"Authorization: Bearer $OPENMARKET_SECRET\"")
    case .header(let name, let prefix):
      lines.append("-H \(POSIXWord.quoted("\(name): \(prefix)"))\"$OPENMARKET_SECRET\"")
    }
    if let body { lines += ["-H 'Content-Type: application/json'", "--data-raw \(POSIXWord.quoted(body))"] }
    return lines.joined(separator: " \\\n  ")
  }

  private func url(_ path: [String], _ query: [String], isWrite: Bool = false) -> String {
    let address = base + "/" + path.joined(separator: "/")
    guard isWrite, case .query(let name) = api.login else {
      return POSIXWord.quoted(address + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }
    let parameters = query + [PercentEncoding.query(name) + "="]
    return POSIXWord.quoted(address + "?" + parameters.joined(separator: "&")) + "\"$OPENMARKET_SECRET\""
  }
}

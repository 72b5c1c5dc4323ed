import Foundation
import Networking

/// Checks a JSON value against HAR 1.2 as published (W3C Web Performance, "HTTP Archive (HAR) format"): required
/// members, their types, and that the timings of an entry add up to its time.
struct HARChecker {
  /// Returns the paths of the faults, or none for a valid archive.
  func problems(of json: JSON) -> [String] {
    var check = Check()
    let log = check.object(json.object?["log"], "log")
    check.text(log["version"], "log.version")
    let creator = check.object(log["creator"], "log.creator")
    check.text(creator["name"], "log.creator.name")
    check.text(creator["version"], "log.creator.version")
    for (index, entry) in check.array(log["entries"], "log.entries").enumerated() {
      check.entry(entry, "log.entries[\(index)]")
    }
    return check.problems
  }

  private struct Check {
    var problems: [String] = []

    mutating func entry(_ json: JSON, _ at: String) {
      let entry = object(json, at)
      moment(entry["startedDateTime"], at + ".startedDateTime")
      _ = object(entry["cache"], at + ".cache")
      request(object(entry["request"], at + ".request"), at + ".request")
      response(object(entry["response"], at + ".response"), at + ".response")
      let sum = timings(object(entry["timings"], at + ".timings"), at + ".timings")
      if number(entry["time"], at + ".time") != sum { problems.append(at + ".time") }
    }

    mutating func request(_ request: JSONObject, _ at: String) {
      for key in ["method", "url", "httpVersion"] { text(request[key], "\(at).\(key)") }
      if case .string(let url) = request["url"], URL(string: url)?.scheme == nil { problems.append(at + ".url") }
      common(request, at)
      pairs(request["queryString"], at + ".queryString")
      guard let data = request["postData"] else { return }
      let posted = object(data, at + ".postData")
      text(posted["mimeType"], at + ".postData.mimeType")
      if let params = posted["params"] {
        for (index, param) in array(params, at + ".postData.params").enumerated() {
          text(object(param, at)["name"], "\(at).postData.params[\(index)].name")
        }
      } else {
        text(posted["text"], at + ".postData.text")
      }
    }

    mutating func response(_ response: JSONObject, _ at: String) {
      _ = number(response["status"], at + ".status")
      for key in ["statusText", "httpVersion", "redirectURL"] { text(response[key], "\(at).\(key)") }
      common(response, at)
      let content = object(response["content"], at + ".content")
      _ = number(content["size"], at + ".content.size")
      text(content["mimeType"], at + ".content.mimeType")
    }

    mutating func common(_ message: JSONObject, _ at: String) {
      _ = array(message["cookies"], at + ".cookies")
      pairs(message["headers"], at + ".headers")
      _ = number(message["headersSize"], at + ".headersSize")
      _ = number(message["bodySize"], at + ".bodySize")
    }

    /// Returns the sum of all timings that apply.
    ///
    /// `ssl` is included in `connect`.
    mutating func timings(_ timings: JSONObject, _ at: String) -> Decimal {
      var sum = Decimal(0)
      for key in ["send", "wait", "receive"] {
        let time = number(timings[key], "\(at).\(key)")
        if time < 0 { problems.append("\(at).\(key)") }
        sum += time
      }
      for key in ["blocked", "dns", "connect"] where timings[key] != nil {
        sum += max(0, number(timings[key], "\(at).\(key)"))
      }
      if timings["ssl"] != nil { _ = number(timings["ssl"], at + ".ssl") }
      return sum
    }

    mutating func pairs(_ json: JSON?, _ at: String) {
      for (index, pair) in array(json, at).enumerated() {
        let pair = object(pair, "\(at)[\(index)]")
        text(pair["name"], "\(at)[\(index)].name")
        text(pair["value"], "\(at)[\(index)].value")
      }
    }

    /// Checks an ISO 8601 time with a zone: `YYYY-MM-DDThh:mm:ss.sTZD`.
    mutating func moment(_ json: JSON?, _ at: String) {
      guard case .string(let text) = json,
        text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)/#) != nil
      else { return problems.append(at) }
    }

    mutating func text(_ json: JSON?, _ at: String) {
      if case .string = json { return }
      problems.append(at)
    }

    mutating func number(_ json: JSON?, _ at: String) -> Decimal {
      if case .number(let number) = json, let value = number.decimal { return value }
      problems.append(at)
      return 0
    }

    mutating func array(_ json: JSON?, _ at: String) -> [JSON] {
      if let array = json?.array { return array }
      problems.append(at)
      return []
    }

    mutating func object(_ json: JSON?, _ at: String) -> JSONObject {
      if let object = json?.object { return object }
      problems.append(at)
      return JSONObject()
    }
  }
}

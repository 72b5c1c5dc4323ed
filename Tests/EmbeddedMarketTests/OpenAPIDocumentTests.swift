import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

/// `/openapi.json` describes what the server does: its references resolve, and its bounds are enforced.
@Suite(.serialized, .timeLimit(Trial.limit)) struct OpenAPIDocumentTests {
  @Test(arguments: ServedEdition.allCases) func everyReferenceResolves(_ edition: ServedEdition) async throws {
    try await Market.with(edition) { market in
      let document = try await WireJSON(market.get("/openapi.json"))
      let schemas = document["components"]?["schemas"]?.keys ?? []
      let named = document.values(of: "$ref").map { $0.replacing("#/components/schemas/", with: "") }
      #expect(Set(named) == Set(schemas))
      let operations = document.values(of: "operationId")
      #expect(operations.count >= 5 && Set(operations).count == operations.count)
    }
  }

  /// Pictures are files; a change in the camp editions needs none.
  @Test(arguments: [
    (ServedEdition.camp1, "/item", "post", "images[]", true), (.camp1, "/item/{id}", "patch", "images[]", false),
    (.camp2, "/item", "post", "images[]", true), (.camp2, "/item/{id}", "patch", "images[]", false),
    (.training, "/api/products", "post", "images", true), (.open, "/api/products", "post", "images", true),
  ])
  func picturesAreFilesAndOptionalForCampChanges(
    _ edition: ServedEdition, _ path: String, _ method: String, _ name: String, _ isRequired: Bool
  ) async throws {
    try await Market.with(edition) { market in
      let document = try await WireJSON(market.get("/openapi.json"))
      let content = document["paths"]?[path]?[method]?["requestBody"]?["content"]?["multipart/form-data"]
      var form = content?["schema"]
      if case .text(let reference)? = form?["$ref"] {
        form = document["components"]?["schemas"]?[reference.replacing("#/components/schemas/", with: "")]
      }
      #expect(form?["properties"]?[name]?["items"]?["format"] == .text("binary"))
      guard case .list(let required)? = form?["required"] else {
        Issue.record("nothing is required")
        return
      }
      #expect(required.contains(.text(name)) == isRequired)
    }
  }

  @Test(arguments: [
    (ServedEdition.camp1, "/items/{page}", "page", 404), (.camp2, "/items/{page}", "page", 404),
    (.training, "/api/products", "page_no", 400), (.training, "/api/products", "items_per_page", 400),
    (.open, "/api/products", "page_no", 400), (.open, "/api/products", "items_per_page", 400),
  ])
  func documentedBoundsAreEnforced(_ edition: ServedEdition, _ path: String, _ name: String, _ refusal: Int)
    async throws
  {
    try await Market.with(edition) { market in
      let document = try await WireJSON(market.get("/openapi.json"))
      guard case .list(let parameters)? = document["paths"]?[path]?["get"]?["parameters"],
        let schema = parameters.first(where: { $0["name"] == .text(name) })?["schema"],
        case .number(let least)? = schema["minimum"], case .number(let most)? = schema["maximum"]
      else {
        Issue.record("no bounds")
        return
      }
      let bounds = (try #require(Int64(least)), try #require(Int64(most)))
      for (value, status) in [(bounds.0, 200), (bounds.1, 200), (bounds.0 - 1, refusal), (bounds.1 + 1, refusal)] {
        let address = path.hasSuffix("}") ? "/items/\(value)" : "\(path)?\(name)=\(value)"
        #expect(try await market.get(address).status == status, "\(address)")
      }
    }
  }

  /// With `--strict` the document has the limits, and they are enforced at their bounds.
  @Test(arguments: [(ServedEdition.training, "descriptions", "descriptions"), (.open, "description", "description")])
  func strictLimitsAreDocumentedAndEnforced(_ edition: ServedEdition, _ key: String, _ named: String) async throws {
    try await Market.with(edition, strict: true) { market in
      let document = try await WireJSON(market.get("/openapi.json"))
      let properties = document["components"]?["schemas"]?["CreateParams"]?["properties"]
      #expect(properties?["currency"]?["enum"]?.minified == #"["KRW","USD","JPY","HKD"]"#)
      for (member, shown) in [("name", "name"), (key, named)] {
        guard case .number(let least)? = properties?[member]?["minLength"], let least = Int(least),
          case .number(let most)? = properties?[member]?["maxLength"], let most = Int(most)
        else {
          Issue.record("no limits")
          continue
        }
        for (length, status) in [(least - 1, 400), (least, 201), (most, 201), (most + 1, 400)] {
          var fields = ["name": "우유병", key: "열 글자 이상의 설명입니다"]
          fields[member] = String(repeating: "가", count: length)
          let texts = fields.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
          let answer = try await market.create(
            "{\(texts),\"price\":1,\"currency\":\"KRW\",\"secret\":\"\(Market.demo.secret)\"}")
          #expect(answer.status == status, "\(member) of \(length)")
          if status == 400 { #expect(answer.text.contains("\"\(shown): size must be between \(least) and \(most)\"")) }
        }
      }
    }
  }

  /// A server with the limits judges a change by the values that it changes.
  @Test(arguments: [(ServedEdition.training, "descriptions"), (.open, "description")])
  func strictChecksOnlyChangedValues(_ edition: ServedEdition, _ key: String) async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let secret = #""secret":"\#(Market.demo.secret)""#
    try await Market.with(edition, in: directory) { market in
      let made = try await market.create(#"{"name":"x","\#(key)":"y","price":1,"currency":"BTC",\#(secret)}"#)
      #expect(made.status == 201)
    }
    try await Market.with(edition, in: directory, strict: true) { market in
      #expect(try await market.json("PATCH", "/api/products/1", #"{"stock":5,\#(secret)}"#).status == 200)
      let refused = try await market.json("PATCH", "/api/products/1", #"{"\#(key)":"z",\#(secret)}"#)
      #expect(refused.line == #"400 {"code":400,"message":"\#(key): size must be between 10 and 1000"}"#)
    }
  }

  /// With `--quirks` the document has the statuses and the nulls that the server answers.
  @Test func quirksAreDocumented() async throws {
    try await Market.with(.open, quirks: true) { market in
      let paths = try await WireJSON(market.get("/openapi.json"))["paths"]
      for (path, method) in [("{id}", "patch"), ("{id}", "delete"), ("{id}/archived", "post")] {
        let statuses = paths?["/api/products/\(path)"]?[method]?["responses"]?.keys ?? []
        #expect(statuses.contains("202") && !statuses.contains("200"), "\(method) \(path)")
      }
    }
    try await Market.with(.training, quirks: true) { market in
      let schemas = try await WireJSON(market.get("/openapi.json"))["components"]?["schemas"]
      #expect(schemas?["Product"]?["properties"]?["price"]?["type"]?.minified == #"["number","null"]"#)
      #expect(schemas?["Product"]?["properties"]?["id"]?["type"]?.minified == #""integer""#)
    }
  }

  /// Error bodies equal the captured ones; Tomcat's class names are left out.
  @Test func errorBodiesEqualTheCapturedOnes() async throws {
    try await Market.with(.camp1) { market in
      #expect(try await WireJSON(market.get("/nowhere")) == Capture.json("a1_error_not_found.json"))
      let many = OlderEditionsTests.item(OlderEditionsTests.fields, images: 6)
      let answer = try await market.form("POST", "/item", many)
      #expect(try WireJSON(answer) == Capture.json("a1_error_too_many_images.json") && answer.status == 400)
    }
    try await Market.with(.camp2, empty: false) { market in
      let answer = try await market.json("DELETE", "/item/6", #"{"password":"wrong"}"#)
      #expect(try WireJSON(answer) == Capture.json("a2_error_wrong_password.json") && answer.status == 404)
    }
    try await Market.with(.training) { market in
      let head = Data("X: \(String(repeating: "a", count: 11_000))\r\n\r\n".utf8)
      let answer = try await market.form("POST", "/api/products", Parts.close([head]))
      let captured = try Capture.json("b_error_400_multipart_header.json").minified
        .replacing("org.apache.tomcat.util.http.fileupload.FileUploadException: ", with: "")
      #expect(answer.line == "400 " + captured)
    }
  }
}

extension WireJSON {
  /// Returns the texts of all members with a name at any depth.
  fileprivate func values(of name: String) -> [String] {
    switch self {
    case .object(let members):
      members.flatMap { member -> [String] in
        if case .text(let text) = member.value, member.key == name { return [text] }
        return member.value.values(of: name)
      }
    case .list(let values): values.flatMap { $0.values(of: name) }
    case .null, .bool, .number, .text: []
    }
  }
}

@testable import Commands
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text

/// What `api` says of a request is what the built-in market does.
@Suite(.timeLimit(Trial.limit)) struct EndpointGuideTests {
  /// A request with a mistake.
  private struct Mistake {
    let operation: EndpointGuide.Operation
    let status: Int
    let request: Request
  }

  /// Each mistake gets its status, and all statuses of the guide occur but those of a full server.
  @Test(arguments: Edition.allCases) func mistakesGetTheStatusesOfTheGuide(_ edition: Edition) async throws {
    let guide = EndpointGuide(edition)
    let mistakes =
      Dialect(edition).capabilities.ownership == .vendors ? Self.ofVendors(edition) : Self.ofPasswords(edition)
    var options = SessionOptions()
    options.edition = edition
    try await Sandbox.with(options: options, edition: try #require(ServedEdition(rawValue: edition.rawValue))) {
      sandbox in
      let transport = HTTPTransport(version: "test")
      for mistake in mistakes {
        let response = try await transport.send(mistake.request, to: sandbox.url, with: SendOptions())
        #expect(response.status == mistake.status, "\(mistake.operation): \(mistake.request)")
      }
      await transport.shutdown()
    }
    for operation in guide.operations {
      let told = Set(guide.refusals(operation).map(\.status))
      let seen = Set(mistakes.filter { $0.operation == operation }.map(\.status))
      #expect(seen.subtracting(told) == [], "\(operation)")
      #expect(told.subtracting(seen).subtracting([413, 429, 507]) == [], "\(operation)")
    }
  }

  private static func ofVendors(_ edition: Edition) -> [Mistake] {
    let vendor = EmbeddedMarket.demoVendor
    func write(
      _ method: Networking.RequestMethod, _ path: [String], _ members: [(String, JSON)], secret: String? = nil
    ) -> Request {
      let body = JSON.object(members + [("secret", .string(secret ?? vendor.secret))])
      return Request(
        method, ["api", "products"] + path, headers: [HeaderField("identifier", vendor.identifier)], body: .json(body))
    }
    let key = edition == .open ? "archived" : "secret"
    let lost = edition == .open ? ["bm90aGluZw=="] : ["138", "nothing"]
    let list = ["api", "products"]
    return [
      Mistake(operation: .list, status: 400, request: Request(.get, list, query: [QueryItem("page_no", "x")])),
      Mistake(operation: .list, status: 400, request: Request(.get, list, query: [QueryItem("page_no", "0")])),
      Mistake(operation: .read, status: 400, request: Request(.get, list + ["x"])),
      Mistake(operation: .read, status: 404, request: Request(.get, list + ["99999"])),
      Mistake(operation: .create, status: 400, request: Request(.post, list)),
      Mistake(operation: .update, status: 400, request: write(.patch, ["138"], [("stock", .int(1))], secret: "no")),
      Mistake(operation: .update, status: 403, request: write(.patch, ["139"], [("stock", .int(1))])),
      Mistake(operation: .update, status: 404, request: write(.patch, ["99999"], [("stock", .int(1))])),
      Mistake(operation: .update, status: 409, request: write(.patch, ["138"], [("thumbnail_id", .int(1))])),
      Mistake(operation: .delete, status: 400, request: write(.post, ["138", key], [], secret: "no")),
      Mistake(operation: .delete, status: 403, request: write(.post, ["139", key], [])),
      Mistake(operation: .delete, status: 404, request: write(.post, ["99999", key], [])),
      Mistake(operation: .delete, status: edition == .open ? 403 : 400, request: write(.delete, lost, [])),
    ]
  }

  private static func ofPasswords(_ edition: Edition) -> [Mistake] {
    func form(_ fields: [(String, String)]) -> Body {
      .multipart(
        Multipart(boundary: "b", parts: fields.map { Multipart.Part(name: $0.0, content: Data($0.1.utf8)) }))
    }
    let password = EmbeddedMarket.demoVendor.secret
    let ids: [(String, JSON)] = edition == .camp1 ? [("id", .int(1))] : []
    let other = Request(
      .delete, ["item", "1"], body: .json(.object([("id", .int(2)), ("password", .string(password))])))
    return [
      Mistake(operation: .list, status: 400, request: Request(.get, ["items", "x"])),
      Mistake(operation: .list, status: 404, request: Request(.get, ["items", "0"])),
      Mistake(operation: .read, status: 400, request: Request(.get, ["item", "x"])),
      Mistake(operation: .read, status: 404, request: Request(.get, ["item", "99999"])),
      Mistake(operation: .create, status: 400, request: Request(.post, ["item"])),
      Mistake(operation: .update, status: 400, request: Request(.patch, ["item", "1"], body: form([("stock", "1")]))),
      Mistake(
        operation: .update, status: 404,
        request: Request(.patch, ["item", "1"], body: form([("stock", "1"), ("password", "no")]))),
      Mistake(operation: .delete, status: 400, request: Request(.delete, ["item", "1"])),
      Mistake(
        operation: .delete, status: 404,
        request: Request(.delete, ["item", "1"], body: .json(.object(ids + [("password", .string("no"))])))),
    ] + (edition == .camp1 ? [Mistake(operation: .delete, status: 409, request: other)] : [])
  }

  /// Each operation of each edition has its values, its curl line and, but for the health, its line in Swift.
  @Test(arguments: Edition.allCases) func operationsAreComplete(_ edition: Edition) {
    let guide = EndpointGuide(edition)
    #expect(guide.operations.contains(.health) == Dialect(edition).supports(.checkHealth))
    for operation in guide.operations {
      #expect(guide.curl(operation, product: 42, at: "http://127.0.0.1:8080/").contains("http://127.0.0.1:8080/"))
      #expect((guide.swift(operation, product: 42) == nil) == (operation == .health))
      #expect(guide.inputs(operation).isEmpty == (operation == .health))
      // The short list of a request's values names the same values.
      let short = guide.steps(operation).map { $0.request + " " + $0.input }.joined(separator: " ")
      for input in guide.inputs(operation) where input.place.english.plain != "JSON" && operation != .update {
        let name = input.place.english.plain == "params" ? "params" : input.name
        #expect(
          short.contains(name) || input.isOptional && input.place.english.plain == "form", "\(operation) \(input.name)")
      }
    }
  }
}

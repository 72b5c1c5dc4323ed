import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import EmbeddedMarket

@Suite(.timeLimit(Trial.limit)) struct RouterTests {
  @Test(arguments: [
    ("GET", "/item/5", "show id=5"),
    ("HEAD", "/item/5", "show id=5"),
    ("GET", "//item///5/", "show id=5"),
    ("GET", "/item/%2F..%2F", "show id=%2F..%2F"),
    ("GET", "/item/:id", "show id=:id"),
    ("DELETE", "/item/5/abc", "delete id=5 secret=abc"),
    ("DELETE", "/item/5/secret", "delete id=5 secret=secret"),
    ("POST", "/item/5/secret", "ask id=5"),
    ("POST", "/item/5", "405 Request method 'POST' not supported, but GET HEAD"),
    ("HEAD", "/item/5/secret", "405 Request method 'HEAD' not supported, but POST"),
    ("OPTIONS", "/item/5", "405 Request method 'OPTIONS' not supported, but GET HEAD"),
    ("TRACE", "/item/5", "405 Request method 'TRACE' not supported, but GET HEAD"),
    ("GET", "/item", "404 Not Found"),
    ("GET", "/item/", "404 Not Found"),
    ("GET", "/Item/5", "404 Not Found"),
    ("GET", "/", "404 Not Found"),
    ("GET", "", "404 Not Found"),
    ("PUT", "/item/5/abc/d", "404 Not Found"),
  ])
  func firstMatchingRouteAnswers(_ method: String, _ path: String, _ outcome: String) async throws {
    var routes = Router()
    routes.get("/item/:id") { .text("show" + $0.spelled("id")) }
    routes.post("/item/:id/secret") { .text("ask" + $0.spelled("id")) }
    routes.delete("/item/:id/:secret") { .text("delete" + $0.spelled("id", "secret")) }
    do {
      let (route, names) = try routes.route(#require(HTTPRequest.Method(method)), path)
      let call = RequestContext(
        base: "", target: "", query: QueryParameters(""), headers: [:], names: names, body: .init())
      #expect(try await String(buffer: route.handler(call).body) == outcome)
    } catch let refusal as MarketHTTPError {
      let allowed = refusal.allowed.isEmpty ? "" : ", but " + refusal.allowed.joined(separator: " ")
      #expect("\(refusal.status) \(refusal.message)\(allowed)" == outcome)
    }
  }

  /// Where a web page and the API have one path, the request says which one it wants; alone, the page is for everybody.
  @Test(arguments: [(true, true, "page"), (false, true, "list"), (true, false, "page"), (false, false, "page")])
  func pageIsForRequestsThatAskForOne(_ asks: Bool, _ hasList: Bool, _ outcome: String) async throws {
    var routes = Router()
    routes.page("/") { _ in .text("page") }
    if hasList { routes.add(.get, "/") { _ in .text("list") } }
    routes.add(.post, "/") { _ in .text("made") }
    let (route, _) = try routes.route(.get, "/", asksForPage: asks)
    let call = RequestContext(base: "", target: "", query: QueryParameters(""), headers: [:], names: [:], body: .init())
    #expect(try await String(buffer: route.handler(call).body) == outcome)
    // The page has no faults, and the list of a described API has them.
    #expect(route.isExempt == (outcome == "page"))
    #expect(routes.methods(at: "/") == ["GET", "HEAD", "POST"] && routes.methods(at: "/x").isEmpty)
  }
}

extension RequestContext {
  fileprivate func spelled(_ wanted: String...) -> String {
    wanted.map { " \($0)=\(names[$0[...]] ?? "nothing")" }.joined()
  }
}

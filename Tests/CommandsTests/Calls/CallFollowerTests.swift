import Commands
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text

/// `calls follow`, `calls received` and `class URL follow`: what an app sends, with its mistakes in words.
@Suite(.timeLimit(Trial.limit)) struct CallFollowerTests {
  /// The requests of an app that reads a page, creates without a picture, changes another vendor's product, sends broken JSON
  /// and deletes with a key of its own.
  private static let requests: [Request] = {
    let vendor = EmbeddedMarket.demoVendor
    let identifier = HeaderField("identifier", vendor.identifier)
    let params =
      #"{"name":"Lamp","descriptions":"It folds.","price":9000,"currency":"KRW","secret":"\#(vendor.secret)"}"#
    let form = Multipart(
      boundary: "b", parts: [Multipart.Part(name: "params", type: "application/json", content: Data(params.utf8))])
    let change = JSON.object([("stock", .int(1)), ("secret", .string(vendor.secret))])
    let broken = Data("{\"stock\": 1, \"secret\": \"\(vendor.secret)\",".utf8)
    return [
      Request(.get, ["api", "products"], query: [QueryItem("page_no", "1"), QueryItem("items_per_page", "2")]),
      Request(.post, ["api", "products"], headers: [identifier], body: .multipart(form)),
      Request(.patch, ["api", "products", "139"], headers: [identifier], body: .json(change)),
      Request(
        .patch, ["api", "products", "138"], headers: [identifier], body: .data(broken, type: "application/json")),
      Request(.delete, ["api", "products", vendor.secret], headers: [identifier]),
    ]
  }()

  /// Runs lines in a sandbox, in which an app sends a request whenever the shell waits; after the last one comes Ctrl-C.
  private func following(
    _ lines: [String], served: (inout MarketOptions) -> Void = { _ in }
  ) async throws -> [String] {
    let rest = Mutex(Self.requests[...])
    let door = Mutex<(transport: any Transport, url: URL)?>(nil)
    var said: [String] = []
    try await Sandbox.with(
      served: served,
      between: { transport, url in
        door.withLock { $0 = (transport, url) }
        return transport
      },
      adjusting: { context in
        context.clock.pause = { _ in
          guard var next = rest.withLock({ $0.popFirst() }), let (transport, url) = door.withLock({ $0 }) else {
            throw CancellationError()
          }
          next.headers.append(HeaderField("User-Agent", "Shop/1"))
          _ = try await transport.send(next, to: url, with: SendOptions())
        }
      }
    ) { sandbox in
      for line in lines { said.append(await sandbox.run(line).replacing(/\d\d:\d\d:\d\d/, with: "TIME")) }
    }
    return said
  }

  @Test func requestsAreFollowedAndExplained() async throws {
    let said = try await following([
      "ls size 1 columns id", "calls follow", "explain", "calls received 4 as json", "calls received", "explain app",
      "set lang ko", "calls received 1",
    ])
    let lines = said[1].split(separator: "\n").map(String.init)
    #expect(
      lines.first == "! note: Waiting for requests of an app to http://market. Press Ctrl-C to end.", "\(said[1])")
    #expect(
      lines.filter { $0.hasPrefix("TIME") } == [
        "TIME  GET    200  /api/products?page_no=1&items_per_page=2  MS",
        "TIME  POST   400  /api/products  MS", "TIME  PATCH  403  /api/products/139  MS",
        "TIME  PATCH  400  /api/products/138  MS", "TIME  DELETE 403  /api/products/…  MS",
      ], "\(said[1])")
    for mistake in [
      "Required request part 'images' is not present", "descriptions: in edition open this is called description",
      "images: 0 images; 1 to 5 are allowed", "The product belongs to another vendor",
    ] {
      #expect(lines.contains("          " + mistake), "\(said[1])")
    }
    #expect(lines.suffix(2) == ["! note: Interrupted.", "= 130"], "\(said[1])")
    // What the app sent last was refused, and is explained although Ctrl-C came after it.
    #expect(said[2].contains("DELETE /api/products/…") && said[2].contains("403"), "\(said[2])")
    #expect(said[5] == said[2], "\(said[5])")
    // The list is the same, without the requests of openmarket itself.
    #expect(said[3].contains(#""n":2,"#) && !said[3].contains(#""n":1,"#), "\(said[3])")
    #expect(said[3].contains(#""from":"구름상점","method":"POST","path":"/api/products","status":400"#), "\(said[3])")
    #expect(said[4].contains("/api/products?page_no=1") && !said[4].contains("items_per_page=1"), "\(said[4])")
    #expect(said[7].contains("DELETE") && said[7].contains("번호"), "\(said[7])")
    #expect(!said.joined().contains(EmbeddedMarket.demoVendor.secret), "\(said)")
  }

  /// Each request is a row of its own in a data format.
  @Test func followedRequestIsAJSONObject() async throws {
    let said = try await following(["calls follow as jsonl"])[0]
    let rows = said.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(rows.count == Self.requests.count, "\(said)")
    #expect(
      rows.first?.contains(#""method":"GET","path":"/api/products?page_no=1&items_per_page=2","status":200"#) == true)
    #expect(rows.allSatisfy { (try? JSON(parsing: Data($0.utf8)).object?["mistakes"]?.array) != nil }, "\(rows)")
  }

  /// The teacher of a class follows the apps of all vendors.
  @Test func requestsOfAClassAreFollowed() async throws {
    var random = SystemRandomNumberGenerator()
    let key = TeacherKey(using: &random)
    let said = try await following(["class 'http://market/class?key=\(key.text)' follow"]) { options in
      options.teacherKey = key
      options.classReport = { visit in
        let rows = (visit.requests ?? []).map { ReceivedCallRow(ReceivedCall($0), Dialect(.open)).cells(in: .english) }
        return ([ReceivedCallRow.keys] + rows).map { CSVLine.text($0, .lf) }.joined()
      }
    }[0]
    #expect(said.contains("TIME  POST   400  /api/products  MS"), "\(said)")
    #expect(said.contains("images: 0 images; 1 to 5 are allowed"), "\(said)")
    #expect(!said.contains("/class") && !said.contains(key.text), "\(said)")
  }

  /// Another market's requests aren't known here, and nothing else of `calls` goes with them.
  @Test(arguments: [
    ("profile other; calls follow", "Only requests to the built-in market can be shown."),
    ("calls received where status=400", "calls received has no such option."),
    ("calls follow 5", "calls follow has no such option."),
    ("calls follow to a.txt", "calls follow has no such option."),
    ("explain 12 app", "app stands alone."),
    ("class 'http://127.0.0.1:1/?key=a' follow | cat", "The requests never end"),
  ])
  func linesWithoutRequestsAreRefused(_ line: String, _ words: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("profile add other url=http://127.0.0.1:1 api=open")
      let said = await sandbox.run(line).replacing("`", with: "")
      #expect(said.contains(words) && said.hasSuffix("= 2\n"), "\(said)")
    }
  }

  /// Before an app has sent anything, the address to send to is named.
  @Test func marketWithoutAnAppNamesItsAddress() async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run("calls received")
      #expect(said.contains("No app has sent a request to http://market since this shell began."), "\(said)")
      #expect(await sandbox.run("explain app").contains("No app has sent a request that was refused."))
    }
  }
}

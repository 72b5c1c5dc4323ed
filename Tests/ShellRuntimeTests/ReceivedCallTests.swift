import Foundation
import Networking
import ShellRuntime
import Testing
import WriteJournal

/// A request of an app has no secret when it is explained.
@Suite struct ReceivedCallTests {
  private func call(_ body: StoredExchange.Body?, target: String = "/api/products/138") -> ReceivedCall {
    ReceivedCall(
      number: 1, time: Date(timeIntervalSince1970: 1_669_852_800), method: "PATCH", target: target, status: 400,
      duration: .milliseconds(3), sender: "Kim", words: "no", detail: nil, headers: [("identifier", "a")], body: body)
  }

  @Test(arguments: [
    (#"{"stock":1,"secret":"hush"}"#, #"{"stock":1,"secret":"•••"}"#),
    (#"{"password":"hush"}"#, #"{"password":"•••"}"#),
    (#"{"stock":1}"#, #"{"stock":1}"#),
  ])
  func secretOfJSONIsMasked(_ body: String, _ shown: String) {
    guard case .text(let text, _, let size) = call(.text(body, type: nil, size: 9)).exchange.request.body else {
      Issue.record("no text")
      return
    }
    #expect(text == shown && size == 9)
  }

  /// A secret in JSON that can't be read isn't found, so that its text is dropped.
  @Test func unreadableJSONIsDropped() {
    let broken = "{\"secret\":\"hush\""
    #expect(call(.text(broken, type: nil, size: 16)).exchange.request.body == .bytes(type: nil, size: 16))
    let params = StoredExchange.Part(name: "params", fileName: nil, type: nil, text: broken, size: 16)
    #expect(call(.form([params])).exchange.request.body == .bytes(type: "multipart/form-data", size: 16))
  }

  @Test func secretsOfAFormAreMasked() {
    let password = StoredExchange.Part(name: "password", fileName: nil, type: nil, text: "hush", size: 4)
    let params = StoredExchange.Part(name: "params", fileName: nil, type: nil, text: #"{"secret":"hush"}"#, size: 17)
    let image = StoredExchange.Part(name: "images", fileName: "a.png", type: "image/png", text: nil, size: 300)
    let exchange = call(.form([password, params, image])).exchange
    guard case .form(let parts) = exchange.request.body else {
      Issue.record("no form")
      return
    }
    #expect(parts.map(\.text) == ["•••", #"{"secret":"•••"}"#, nil])
    #expect(!exchange.json.contains("hush"))
  }

  /// The address is split as the rules of the editions read it.
  @Test func addressHasSegmentsAndParameters() {
    let call = call(nil, target: "/api/products/a%20b?page_no=2&search_value=%ED%95%9C&x")
    #expect(call.exchange.request.path == ["api", "products", "a b"])
    #expect(call.exchange.request.query.map { "\($0.name)=\($0.value)" } == ["page_no=2", "search_value=한", "x="])
    #expect(!call.hasContent && call.isRefused && call.exchange.duration == 3000)
    #expect(call.exchange.started == 1_669_852_800_000)
  }
}

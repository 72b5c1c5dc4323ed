import Foundation
import Networking
import TestSupport
import Testing

/// A short secret is masked where it has a place of its own, and every other text stays exact.
@Suite struct SecretContextTests {
  private func redactor(_ secret: String, _ context: SecretContext) throws -> SecretRedactor {
    SecretRedactor([NamedSecret("OPENMARKET_SECRET", try #require(Secret(secret)))], in: context)
  }

  @Test(arguments: [
    (#"{"description":"This shirt is white","secret":"hi"}"#, #"{"description":"This shirt is white","secret":"•••"}"#),
    (#"{"name":"hi","secret" : "hi"}"#, #"{"name":"hi","secret" : "•••"}"#),
    (#"{\"name\":\"hi\",\"secret\":\"hi\"}"#, #"{\"name\":\"hi\",\"secret\":\"•••\"}"#),
    ("/api/products/142/archived", "/api/products/142/archived"), ("password=hi&name=hi", "password=•••&name=hi"),
    ("identifier: hi", "identifier: •••"), ("Authorization: Bearer hi", "Authorization: Bearer •••"),
    ("X-Note: hi", "X-Note: hi"), ("hi", "hi"), ("/archived/hi", "/archived/•••"),
  ]) func requestStaysExact(_ text: String, _ expected: String) throws {
    let masked = try redactor("hi", .request).mask(text)
    #expect(masked == expected)
  }

  @Test(arguments: [
    (#"{"description":"This shirt is white","a":"hi"}"#, #"{"description":"This shirt is white","a":"•••"}"#),
    ("hi", "•••"), ("no: hi there", "no: hi there"), ("secret: hi", "secret: •••"),
  ]) func wholeValueOfAResponseIsMasked(_ text: String, _ expected: String) throws {
    let masked = try redactor("hi", .response).mask(text)
    #expect(masked == expected)
  }

  /// The secret of a class is a number, and so are prices.
  @Test(arguments: [SecretContext.request, .response]) func numbersAreNoSecrets(_ context: SecretContext) throws {
    let short = try redactor("1234", context)
    #expect(
      short.mask(#"{"price":1234,"stock":1234,"name":"1234","secret":"1234"}"#)
        == #"{"price":1234,"stock":1234,"name":"1234","secret":"•••"}"#)
    #expect(short.mask("/api/products/1234") == "/api/products/1234")
    let long = try redactor("12345678", context)
    #expect(
      long.mask(#"{"price": 12345678, "a": [12345678], "b":"x 12345678"}"#)
        == #"{"price": 12345678, "a": [12345678], "b":"x •••"}"#)
    #expect(long.mask("wrong: 12345678") == "wrong: •••")
  }

  @Test func printedCommandIsExact() throws {
    let secret = NamedSecret("OPENMARKET_SECRET", try #require(Secret("hi")))
    let body = #"{"description":"This shirt is white","name":"hi","secret":"hi"}"#
    let request = Request(
      .patch, ["api", "products", "138"], headers: [HeaderField("identifier", "hi")],
      body: .data(Data(body.utf8), type: "application/json"), secrets: [secret])
    let curl = request.curl(to: try #require(URL(string: "http://127.0.0.1:1")))
    #expect(
      curl.contains(#"'{"description":"This shirt is white","name":"hi","secret":"'"$OPENMARKET_SECRET"'"}'"#),
      "\(curl)")
    #expect(curl.contains(#"-H 'identifier: '"$OPENMARKET_SECRET""#), "\(curl)")
    #expect(request.carriesSecret)
  }
}

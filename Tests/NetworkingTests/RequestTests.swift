import Foundation
import Networking
import TestSupport
import Testing
import Text

/// The display of requests as curl commands, which send the same request.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct RequestTests {
  private static let plain = Secret("s3cr3t-value")!
  private static let crooked = Secret(#"a'b"c\d/e$f"#)!
  private let base = URL(string: "http://127.0.0.1:8080/")!

  private func edit(_ secret: Secret) -> Request {
    Request(
      .patch, ["api", "products", "7"], query: [QueryItem("search_value", "가 나")],
      headers: [HeaderField("identifier", secret.reveal())],
      body: .json(.object([("name", .string("It's \"new\"")), ("secret", .string(secret.reveal()))])),
      secrets: [NamedSecret("OPENMARKET_SECRET", secret)])
  }

  private func create(_ secret: Secret) -> Request {
    let params = JSON.object([("name", .string(#"a;b "c" \ 'd'"#)), ("secret", .string(secret.reveal()))])
    let form = Multipart(
      boundary: "XYZ",
      parts: [
        Multipart.Part(name: "params", type: "application/json", content: Data(params.serialized.utf8)),
        Multipart.Part(name: "password", content: Data(secret.reveal().utf8)),
        Multipart.Part(name: "images", fileName: "a;b.jpg", type: "image/jpeg", content: Data([0xFF, 0xD8])),
      ])
    return Request(
      .post, ["api", "products"], body: .multipart(form), secrets: [NamedSecret("OPENMARKET_SECRET", secret)])
  }

  /// Names in other scripts are encoded as they are resolved (RFC 5891).
  @Test(arguments: [
    ("https://한국.kr/가", "https://xn--3e0b707e.kr/%EA%B0%80/api"),
    ("https://xn--3e0b707e.kr", "https://xn--3e0b707e.kr/api"),
    ("https://EXAMPLE.com:8443/a/", "https://EXAMPLE.com:8443/a/api"),
    ("http://[::1]:8080", "http://[::1]:8080/api"), ("http://localhost", "http://localhost/api"),
    ("http://%6cocalhost", "http://%6cocalhost/api"), ("http://한국.kr", "http://xn--3e0b707e.kr/api"),
    ("http://127.0.0.1.example.com", "http://127.0.0.1.example.com/api"), ("ftp://localhost", nil),
  ])
  func internationalHostIsEncodedWithIDNA(base: String, address: String?) throws {
    let base = try #require(URL(string: base))
    #expect((try? Request(.get, ["api"]).url(at: base)) == address)
  }

  @Test func descriptionMasksSecrets() {
    #expect(
      edit(Self.plain).description == """
        PATCH /api/products/7?search_value=%EA%B0%80%20%EB%82%98
        identifier: •••
        Content-Type: application/json

        {"name":"It's \\"new\\"","secret":"•••"}
        """)
    #expect(
      create(Self.plain).description == #"""
        POST /api/products
        Content-Type: multipart/form-data; boundary=XYZ
          params: {"name":"a;b \"c\" \\ 'd'","secret":"•••"}
          password: •••
          images (a;b.jpg, image/jpeg): 2 bytes
        """#)
  }

  @Test func curlCommandReadsSecretsFromTheEnvironment() {
    #expect(
      edit(Self.plain).curl(to: base) == #"""
        curl \
          -X PATCH \
          'http://127.0.0.1:8080/api/products/7?search_value=%EA%B0%80%20%EB%82%98' \
          -H 'identifier: '"$OPENMARKET_SECRET" \
          -H 'Content-Type: application/json' \
          --data-raw '{"name":"It'\''s \"new\"","secret":"'"$OPENMARKET_SECRET"'"}'
        """#)
  }

  @Test(arguments: [plain, crooked]) func curlCommandSendsTheSameValues(secret: Secret) throws {
    let value = secret.reveal()
    #expect(
      try arguments(of: edit(secret).curl(to: base), secret) == [
        "-X", "PATCH", "http://127.0.0.1:8080/api/products/7?search_value=%EA%B0%80%20%EB%82%98", "-H",
        "identifier: " + value, "-H", "Content-Type: application/json", "--data-raw",
        #"{"name":"It's \"new\"","secret":"\#(JSON.escaped(value))"}"#,
      ])
    let params = #"{"name":"a;b \"c\" \\ 'd'","secret":"\#(JSON.escaped(value))"}"#
    #expect(
      try arguments(of: create(secret).curl(to: base), secret) == [
        "-X", "POST", "http://127.0.0.1:8080/api/products", "-F",
        "params=\"" + JSON.escaped(params) + "\";type=application/json", "--form-string", "password=" + value, "-F",
        "images=@\"a;b.jpg\";type=image/jpeg",
      ])
    for text in [
      edit(secret).description, create(secret).description, edit(secret).curl(to: base), create(secret).curl(to: base),
    ] {
      #expect(!text.contains(value) && !text.contains(JSON.escaped(value)))
    }
  }

  /// With a body, curl sends POST unless `-X` names the method, and rejects `--head`.
  @Test(
    arguments: [
      (.get, .none, []), (.head, .none, ["--head"]), (.post, .none, ["-X", "POST"]),
      (.delete, .none, ["-X", "DELETE"]),
      (.get, .data(Data("a".utf8), type: "text/plain"), ["-X", "GET"]),
      (.get, .data(Data(), type: "text/plain"), ["-X", "GET"]),
      (.head, .data(Data("a".utf8), type: "text/plain"), ["-X", "HEAD"]),
      (.get, .multipart(Multipart(boundary: "XYZ", parts: [])), ["-X", "GET"]),
    ] as [(RequestMethod, Body, [String])])
  func curlCommandHasTheMethodOfTheRequest(method: RequestMethod, body: Body, option: [String]) throws {
    let words = try arguments(of: Request(method, ["a"], body: body).curl(to: base), Self.plain)
    #expect(words.prefix { !$0.hasPrefix("http") } == option[...])
  }

  @Test func formHasCRLFLineEnds() {
    let form = Multipart(
      boundary: "XYZ",
      parts: [
        Multipart.Part(name: "params", type: "application/json", content: Data("{}".utf8)),
        Multipart.Part(name: "images[]", fileName: "a\"\r\nb.jpg", type: "image/jpeg", content: Data("J".utf8)),
      ])
    let text = [
      "--XYZ", #"Content-Disposition: form-data; name="params""#, "Content-Type: application/json", "", "{}", "--XYZ",
      #"Content-Disposition: form-data; name="images[]"; filename="a%22%0D%0Ab.jpg""#, "Content-Type: image/jpeg", "",
      "J", "--XYZ--", "",
    ]
    #expect(form.encoded == Data(text.joined(separator: "\r\n").utf8))
    #expect(form.isValid)
    var broken = form
    broken.parts[1].content = Data("x--XYZx".utf8)
    #expect(!broken.isValid)
  }

  @Test(arguments: [
    ("a b", "a%20b", "a%20b"), ("a+b&c=d", "a+b&c=d", "a%2Bb%26c%3Dd"), ("가", "%EA%B0%80", "%EA%B0%80"),
    ("..", "%2E%2E", ".."), ("a/b?c#d", "a%2Fb%3Fc%23d", "a%2Fb%3Fc%23d"), ("%2F", "%252F", "%252F"),
    ("\r\n", "%0D%0A", "%0D%0A"), ("MTY=", "MTY=", "MTY%3D"),
  ]) func targetIsPercentEncoded(text: String, segment: String, query: String) {
    #expect(PercentEncoding.segment(text) == segment)
    #expect(PercentEncoding.query(text) == query)
    #expect(PercentEncoding.decode(segment) == text && PercentEncoding.decode(query) == text)
  }

  @Test func secretIsMaskedInEveryBody() {
    let masker = SecretRedactor([NamedSecret("V", Secret(#"pass/"word"+1"#)!)])
    let value = #"pass/"word"+1"#
    let base64 = Data(value.utf8).base64EncodedString()
    let inside = Data("ab|\(value)|cd".utf8).base64EncodedString()
    #expect(masker.mask("x \(value) y") == "x ••• y")
    #expect(masker.mask(JSON.string(value).serialized) == "\"•••\"")
    #expect(masker.mask("?k=" + PercentEncoding.query(value)) == "?k=•••")
    #expect(masker.mask("Basic \(base64)") == "Basic •••")
    #expect(masker.mask(inside).contains(Secret.mask))
    #expect(masker.mask("가나다") == "가나다")
    #expect(String(describing: Secret("abc")!) == "•••" && "\([Secret("abc")!])" == "[•••]")
  }

  /// Includes JSON that is all ASCII.
  @Test(arguments: [
    "비밀 \"번호\"", #"\ube44\ubc00 \"\ubc88\ud638\""#, #"\uBE44\uBC00 \"\uBC88\uD638\""#,
    "%EB%B9%84%EB%B0%80%20%22%EB%B2%88%ED%98%B8%22",
  ])
  func passwordOfAnyCharactersIsMasked(_ text: String) {
    let masker = SecretRedactor([NamedSecret("V", Secret(password: "비밀 \"번호\"")!)])
    #expect(masker.mask("<\(text)>") == "<•••>")
  }

  @Test(arguments: ["", "a\tb", "a\nb", "a\u{7F}b", "a\u{2028}b", String(repeating: "가", count: 334)])
  func passwordMustBeOneShortLine(_ text: String) { #expect(Secret(password: text) == nil) }

  /// A short password occurs in prices and names by chance, and is one in a field of its name; JSON remains valid JSON.
  @Test(arguments: [
    (#"{"price":12340,"id":1234,"name":"Cup 1234"}"#, #"{"price":12340,"id":1234,"name":"Cup 1234"}"#),
    (#"[1234.5,-1234,"1234",true,null]"#, #"[1234.5,-1234,"1234",true,null]"#),
    (#"{"secret":"1234","password":1234,"a":{"x":1234}}"#, #"{"secret":"•••","password":"•••","a":{"x":1234}}"#),
  ])
  func maskedJSONStaysValid(_ text: String, _ masked: String) throws {
    let masker = SecretRedactor([NamedSecret("V", Secret("1234")!)])
    #expect(try JSON(parsing: Data(text.utf8)).masked(by: masker).serialized == masked)
  }

  /// The digits of a percent escape match in either case, the letters of the secret do not.
  @Test(arguments: [
    ("k=Ab%2FC", "k=•••"), ("k=Ab%2fC", "k=•••"), ("Ab%2fC%2", "•••%2"), ("ab%2fc", "ab%2fc"), ("AB%2FC", "AB%2FC"),
    ("Ab%2", "Ab%2"), ("Ab%0FC", "Ab%0FC"), ("Ab%25C Ab%2fC", "Ab%25C •••"), ("Ab/C", "•••"),
  ]) func percentEscapesAreMaskedInEitherCase(text: String, masked: String) {
    #expect(SecretRedactor([NamedSecret("V", Secret("Ab/C")!)], in: .anywhere).mask(text) == masked)
  }

  @Test func mixedCaseEscapesAreMasked() {
    let masker = SecretRedactor([NamedSecret("V", Secret("<Ab/C>")!)], in: .anywhere)
    #expect(masker.mask("x%3cAb%2FC%3Ey") == "x•••y" && masker.mask("%3Cab%2fC%3e") == "%3Cab%2fC%3e")
  }

  /// Returns the arguments that the shell passes to curl.
  private func arguments(of command: String, _ secret: Secret) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "curl() { printf '%s\\n' \"$@\"; }\n" + command]
    process.environment = ["PATH": "/usr/bin:/bin", "OPENMARKET_SECRET": secret.reveal()]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

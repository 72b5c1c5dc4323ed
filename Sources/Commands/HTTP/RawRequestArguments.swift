import CommandLanguage
import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The arguments of a raw request, checked as far as possible before anything is read or sent.
package struct RawRequestArguments {
  /// The methods in uppercase and lowercase.
  static let methods =
    Networking.RequestMethod.allCases.map(\.rawValue)
    + Networking.RequestMethod.allCases.map { $0.rawValue.lowercased() }

  package let method: Networking.RequestMethod
  package let path: [String]
  package let query: [QueryItem]
  /// The headers.
  ///
  /// A value that begins with `@` is the content of a file.
  package let headers: [HeaderField]
  /// The body: a text, or `@file`.
  package let body: String?
  package let fields: [Assignment]
  let usesCredentials: Bool
  package let clauses: Clauses
  /// The server of a complete URL, or `nil` for that of the session.
  let origin: String?
  let pasted: CurlCommandParser?

  /// Checks the arguments.
  ///
  /// - Throws: `ParseError` for arguments that aren't a valid request, and for a secret in the line itself.
  package init(_ invocation: ParsedCommand, method: String) throws(ParseError) {
    pasted = try invocation.text("pasted").map { text throws(ParseError) in try CurlCommandParser(text) }
    self.method = Networking.RequestMethod(rawValue: pasted?.method ?? method.uppercased()) ?? .get
    (origin, path, query) = try RawRequestArguments.address(pasted?.address ?? invocation.text("PATH") ?? "/")
    fields = invocation.assignments
    usesCredentials = invocation.has("auth")
    clauses = invocation.clauses
    var headers: [HeaderField] = []
    var bodies: [String] = []
    for word in invocation.all("BODY") + invocation.all("HEADER") {
      if word.contains(/^[^\s:={}"]+:=/) { throw RawRequestArguments.httpieField(word) }
      if let header = RawRequestArguments.header(word) { headers.append(header) } else { bodies.append(word) }
    }
    self.headers = pasted?.headers ?? headers
    body = bodies.first
    try check(bodies)
    try pasted?.refuseSecrets()
  }

  private func check(_ bodies: [String]) throws(ParseError) {
    if bodies.count > 1 || (!bodies.isEmpty && !fields.isEmpty) {
      throw ParseError(
        LocalizedText("A request can only have one body.", ko: "요청의 본문은 하나입니다."),
        suggestion: LocalizedText(
          "Quote a body that contains spaces: \(.command("'{\"price\": 1}'"))",
          ko: "공백이 있는 본문은 따옴표로 묶습니다: \(.command("'{\"price\": 1}'"))"))
    }
    if method.isSafe, !bodies.isEmpty {
      throw ParseError(
        LocalizedText("A \(method.rawValue) request cannot have a body.", ko: "\(method.rawValue) 요청에는 본문이 없습니다."),
        suggestion: LocalizedText(
          "Use \(.command("name=value")) for query parameters.", ko: "쿼리에는 \(.command("이름=값"), .object) 쓰세요."))
    }
    // The content of files and variables is checked after it has been read.
    for header in headers where !header.value.hasPrefix("@") {
      let typed = HeaderField(header.name, ShellTokenizer.spelled(header.value))
      guard typed.isValid else { throw RawRequestArguments.unsendable(typed) }
    }
    for field in fields where field.operation != .set {
      throw ParseError(
        LocalizedText(
          "A raw request is sent as typed and cannot calculate with current values.",
          ko: "raw 요청은 입력한 그대로 보내므로 현재 값에 더하거나 뺄 수 없습니다."),
        suggestion: LocalizedText(
          "Use \(.command(field.name + "=…")).", ko: "\(.command(field.name + "=…"), .object) 쓰세요."),
        at: field.range)
    }
    if let body, !body.hasPrefix("@"), let json = try? JSON(parsing: .init(body.utf8)), !json.secrets.isEmpty {
      throw RawRequestArguments.typedSecret
    }
    if headers.contains(where: { Assignment.mentionsSecretName($0.name) && !$0.value.hasPrefix("@") }) {
      throw RawRequestArguments.typedSecret
    }
  }

  /// Parses `name:value`, whose name is a token.
  ///
  /// Anything else is a body.
  private static func header(_ word: String) -> HeaderField? {
    guard let colon = word.firstIndex(of: ":") else { return nil }
    let name = String(word[..<colon])
    guard HeaderField(name, "").isValid, !name.isEmpty else { return nil }
    return HeaderField(name, word[word.index(after: colon)...].trimmed)
  }

  static func unsendable(_ header: HeaderField) -> ParseError {
    ParseError(
      LocalizedText(
        "Cannot send the header \(.value(header.name)).", ko: "헤더 \(.value(header.name), .object) 보낼 수 없습니다."))
  }

  /// Returns the error for `stock:=3`, which would otherwise be a header named `stock`.
  private static func httpieField(_ word: String) -> ParseError {
    let plain = word.replacing(":=", with: "=", maxReplacements: 1)
    return ParseError(
      LocalizedText("\(.value(word)) is httpie syntax.", ko: "httpie의 표기입니다: \(.value(word))."),
      suggestion: LocalizedText(
        "Write numbers and JSON literals without a colon: \(.command(plain))",
        ko: "숫자와 JSON 값은 콜론 없이 쓰세요: \(.command(plain))"))
  }

  static var typedSecret: ParseError {
    ParseError(
      LocalizedText(
        "Do not type a secret on the command line. It would end up in histories and scripts.",
        ko: "시크릿은 명령에 직접 적지 마세요. 입력 기록과 스크립트에 남습니다."),
      suggestion: LocalizedText(
        "Read it from a file: \(.command("secret=@file")), or \(.command("@file")) for the whole body.",
        ko: "파일에서 읽으세요: \(.command("secret=@파일")), 본문 전체는 \(.command("@파일"))"))
  }

  /// Splits a URL into path segments and query items.
  ///
  /// Existing percent-encoding is preserved in meaning.
  static func address(_ typed: String) throws(ParseError) -> (String?, [String], [QueryItem]) {
    let match = typed.prefixMatch(of: /(https?:\/\/[^\/?#@]+)(?=[\/?#]|$)/.ignoresCase())
    guard match != nil || (!typed.contains(/^[A-Za-z]+:\/\//) && !typed.hasPrefix("//")) else {
      throw ParseError(
        LocalizedText(
          "Invalid URL: \(.value(typed.replacing(/:\/\/[^\/]*@/, with: "://***@"))).",
          ko: "요청할 수 있는 주소가 아닙니다."),
        suggestion: LocalizedText(
          "Use a path, as in \(.command("get /api/products")), or a URL starting with http:// or https://.",
          ko: "\(.command("get /api/products"))처럼 경로를 쓰거나 http://, https://로 시작합니다."))
    }
    let text = match.map { String(typed[$0.range.upperBound...]) } ?? typed
    let whole = text.isEmpty ? "/" : text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let parts = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].hasPrefix("/") ? parts[0].dropFirst() : parts[0]
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { decoded($0) }
    let items = parts.count < 2 || parts[1].isEmpty ? [] : parts[1].split(separator: "&")
    return (
      match.map { String($0.1) }, segments,
      items.map { item in
        let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return QueryItem(decoded(halves[0]), halves.count > 1 ? decoded(halves[1].replacing("+", with: " ")) : "")
      }
    )
  }

  /// Returns the server of the request.
  ///
  /// - Throws: `CommandError` if the vendor's credentials would be sent to another server than the session's;
  ///   `TransportError` for an invalid URL.
  func base(_ session: Session, in context: CommandContext) async throws -> URL {
    let own = try await context.address(of: session)
    guard let origin else { return own }
    guard let url = URL(string: origin) else { throw TransportError(.invalidURL(origin), extent: .none) }
    if RawRequestArguments.isSame(url, own) { return url }
    guard !usesCredentials, pasted?.namesCredentials != true else {
      throw CommandError(
        .blocked,
        .failure(
          "Credentials are only sent to the current server, not to \(.value(origin)).",
          ko: "판매자 인증 정보는 이 세션의 서버에만 보냅니다. \(.value(origin))에는 보내지 않습니다."))
    }
    return url
  }

  static func isSame(_ left: URL, _ right: URL) -> Bool {
    func port(_ url: URL) -> Int { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }
    // The encoded host is compared, because a percent-encoded name is looked up as another name.
    func host(_ url: URL) -> String? {
      URLComponents(url: url, resolvingAgainstBaseURL: true)?.encodedHost?.lowercased()
    }
    return left.scheme?.lowercased() == right.scheme?.lowercased() && host(left) == host(right)
      && port(left) == port(right)
  }

  private static func decoded(_ text: some StringProtocol) -> String { PercentEncoding.decode(text) ?? String(text) }
}

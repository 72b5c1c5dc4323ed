import CommandLanguage
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `raw`: sends any request as typed.
///
/// A write is confirmed, recorded in the journal first and sent once.
package struct RawCommand: Command {
  package static let declaration = CommandDeclaration(
    "raw", group: .api, summary: LocalizedText("send any HTTP request", ko: "원하는 HTTP 요청 보내기"),
    usage: ["raw METHOD PATH [BODY | FIELD=VALUE...] [HEADER:VALUE...] [auth]", "raw curl ..."],
    details: LocalizedText(
      "Sends the request exactly as typed. Requests that change data are shown first, asked about and logged, but cannot be undone. The vendor's credentials are sent only with auth.",
      ko: "요청을 입력한 그대로 보냅니다. 데이터를 바꾸는 요청은 먼저 보여 주고 물으며 로그에 저장하지만, 되돌릴 수 없습니다. 판매자의 로그인 정보는 auth가 있어야 보냅니다."),
    writesToMarket: true,
    producesData: true,
    traits: [.capturesResponse, .editionIndependent, .sendsAsTyped],
    parameters: [
      Parameter(
        "METHOD", .positional(required: true), kind: .choice(RawRequestArguments.methods),
        summary: LocalizedText("HTTP method", ko: "HTTP 메서드")),
      Parameter(
        "PATH", .positional(required: true), kind: .text,
        summary: LocalizedText("path on the server, starting with /, or a full URL", ko: "서버의 /부터, 또는 전체 주소")),
      Parameter(
        "BODY", .rest(required: false), kind: .text,
        summary: LocalizedText("body, @file, or headers as name:value", ko: "본문, @파일, 또는 이름:값 형태의 헤더")),
      Parameter(
        "FIELD=VALUE", .assignments, kind: .productAssignments(["*"]),
        summary: LocalizedText("JSON body values; query parameters for GET", ko: "JSON 본문의 값; GET에서는 쿼리")),
      Parameter(
        "auth", .flag, kind: .none, summary: LocalizedText("add the vendor's credentials as headers", ko: "판매자 헤더를 붙임")),
      Parameter(
        "pasted", .option, kind: .text,
        summary: LocalizedText(
          "a curl command, pasted unchanged. You can also paste it at the prompt directly",
          ko: "그대로 붙여 넣은 curl 명령. 프롬프트에 바로 붙여 넣어도 됨")),
    ],
    examples: [
      .init("raw GET /api/products?page_no=1", "prints the response unchanged", ko: "서버의 응답 그대로"),
      .init(
        "raw PATCH /api/products/42 price=3500 secret=@secret.txt auth", "a JSON body, with the secret from a file",
        ko: "JSON 본문, 시크릿은 파일에서"),
      .init(
        "raw PATCH /api/products/42 @body.json accept:text/html auth yes", "a body from a file, and a header",
        ko: "파일의 본문과 헤더"),
      .init(
        "raw POST /item content-type:multipart/form-data title=x images[]=@a.jpg yes",
        "a form with a file (camp1, camp2)",
        ko: "파일을 포함한 폼(camp1, camp2)"),
    ])

  package let consent: WriteOptions
  private let line: RawRequestArguments

  /// - Throws: `ParseError` for a URL, header or body that can't be sent, and for a typed secret.
  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    line = try RawRequestArguments(invocation, method: invocation.text("METHOD") ?? "GET")
  }

  package var writes: Bool { !line.method.isSafe }

  /// - Throws: The errors of `get`; for a write also `CommandError` of the checks and `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if writes { try scope.requireWritable() }
    let base = try await line.base(in: scope)
    let request = try await RawRequestBuilder(line, scope).make(for: base)
    guard writes, scope.mode != .curl else {
      return try await RawRead(request, line).run(to: base, in: &scope)
    }
    // An invalid URL is reported before the confirmation.
    _ = try request.url(at: base)
    return try await JournaledRawRequest(request, line: line, consent: consent).run(to: base, in: &scope)
  }
}

extension JSON {
  /// The texts of members named secret or password, at any depth.
  package var secrets: [String] {
    switch self {
    case .object(let object):
      object.keys.flatMap { key -> [String] in
        if case .string(let text) = object[key], !text.isEmpty, Assignment.mentionsSecretName(key) { return [text] }
        return object[key]?.secrets ?? []
      }
    case .array(let elements): elements.flatMap(\.secrets)
    case .null, .bool, .number, .string, .invalidLiteral: []
    }
  }
}

/// A raw request that reads, with the redirections that a pasted `curl -L` follows.
struct RawRead {
  private let request: Request
  private let line: RawRequestArguments

  init(_ request: Request, _ line: RawRequestArguments) {
    self.request = request
    self.line = line
  }

  /// Sends the request and reports the response.
  ///
  /// - Parameters:
  ///   - base: The server.
  ///   - scope: The scope of the command.
  /// - Returns: The report.
  /// - Throws: `TransportError` without a complete response; `CommandError` for too many redirections, and for one that
  ///   would send the vendor's credentials to another server.
  func run(to base: URL, in scope: inout CommandScope) async throws -> CommandResult {
    if request.carriesSecret {
      try await WriteApproval.admitPlainHTTP(to: base, in: scope)
    }
    let transport = try scope.transport()
    var (request, base) = (request, base)
    var took = Duration.zero
    var redirects = 0
    while true {
      let start = ContinuousClock.now
      let response = try await transport.send(request, to: base, with: line.options)
      took += response.timing?.phases.total ?? start.duration(to: .now)
      guard let maximum = line.pasted?.output.redirects, let target = redirect(response, from: request, at: base) else {
        return try RawResponseReport(
          response, to: request, at: base, took: took, redirects: redirects, line: line, context: scope.context
        )
        .report(in: &scope)
      }
      guard redirects < maximum else {
        throw CommandError(
          .refused,
          .failure("Stopped after \(maximum) redirects.", ko: "리다이렉트가 \(maximum)번을 넘어 중단했습니다."))
      }
      redirects += 1
      let next = try RawRead.next(request, from: base, to: target)
      if !RawRequestArguments.isSame(next.1, base) { try next.0.refuseStoredSecrets(for: next.1, in: scope) }
      (request, base) = next
    }
  }

  /// Returns the URL that a response redirects to, or `nil`.
  private func redirect(_ response: Response, from request: Request, at base: URL) -> URL? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location"),
      let here = (try? request.url(at: base)).flatMap({ URL(string: $0) })
    else { return nil }
    return URL(string: PercentEncoding.target(location), relativeTo: here)?.absoluteURL
  }

  /// Returns the request of a redirection.
  ///
  /// Like curl, it omits `Authorization` and `Cookie` for another server.
  private static func next(_ request: Request, from base: URL, to target: URL) throws -> (Request, URL) {
    guard var parts = URLComponents(url: target, resolvingAgainstBaseURL: true),
      ["http", "https"].contains(parts.scheme?.lowercased() ?? "")
    else { throw TransportError(.invalidURL(target.absoluteString), extent: .none) }
    var request = request
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    request.rawTarget = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    (parts.percentEncodedPath, parts.percentEncodedQuery, parts.fragment) = ("", nil, nil)
    guard let origin = parts.url else { throw TransportError(.invalidURL(target.absoluteString), extent: .none) }
    guard !RawRequestArguments.isSame(origin, base) else { return (request, origin) }
    request.headers.removeAll { ["authorization", "cookie", "host"].contains($0.name.lowercased()) }
    guard !request.carriesSecret else {
      throw CommandError(
        .blocked,
        .failure(
          "The request contains a secret, so the redirect to \(.value(origin.absoluteString)) was not followed.",
          ko: "요청에 시크릿이 있어 \(.value(origin.absoluteString), .toward) 가는 리다이렉트를 따라가지 않았습니다."))
    }
    return (request, origin)
  }
}

extension RawRequestArguments {
  /// The time limits of a pasted line.
  var options: SendOptions {
    var options = SendOptions(deadline: pasted?.deadline)
    if let connect = pasted?.connectTimeout { options.limits.connect = connect }
    return options
  }
}

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
    for header in headers {
      if RawRequestArguments.isManaged(header.name) { throw RawRequestArguments.managed(header.name) }
      if header.value.hasPrefix("@") { continue }
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
    if let body, body.utf8.first != UInt8(ascii: "@"), let json = try? JSON(parsing: .init(body.utf8)),
      !json.secrets.isEmpty
    {
      throw RawRequestArguments.typedSecret
    }
    if headers.contains(where: { Assignment.mentionsSecretName($0.name) && $0.value.utf8.first != UInt8(ascii: "@") }) {
      throw RawRequestArguments.typedSecret
    }
  }

  /// Parses `name:value`, whose name is a token.
  ///
  /// Anything else is a body.
  private static func header(_ word: String) -> HeaderField? {
    guard let (name, value) = word.halves(atScalar: ":") else { return nil }
    guard HeaderField(String(name), "").isValid, !name.isEmpty else { return nil }
    return HeaderField(String(name), value.trimmed)
  }

  /// Returns whether the transport sets a header itself, whatever the request contains.
  static func isManaged(_ name: String) -> Bool {
    ["content-length", "transfer-encoding", "connection"].contains(name.lowercased())
  }

  static func managed(_ name: String) -> ParseError {
    ParseError(
      LocalizedText("The header \(.value(name)) cannot be set.", ko: "헤더 \(.value(name), .object) 정할 수 없습니다."),
      suggestion: LocalizedText(
        "Remove it. openmarket sets it for the body and the connection.",
        ko: "지우세요. openmarket이 본문과 연결에 맞게 정합니다."))
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
    let match = typed.prefixMatch(
      of: /(https?:\/\/[^\/?#@]+)(?=[\/?#]|$)/.ignoresCase().matchingSemantics(.unicodeScalar))
    guard match != nil || (!typed.contains(/^[A-Za-z]+:\/\//) && !typed.hasPrefix("//")) else {
      throw ParseError(
        LocalizedText(
          "Invalid URL: \(.value(typed.withoutUserInformation)).",
          ko: "요청할 수 있는 주소가 아닙니다."),
        suggestion: LocalizedText(
          "Use a path, as in \(.command("get /api/products")), or a URL starting with http:// or https://.",
          ko: "\(.command("get /api/products"))처럼 경로를 쓰거나 http://, https://로 시작합니다."))
    }
    let text = match.map { String(typed[$0.range.upperBound...]) } ?? typed
    let whole = text.isEmpty ? "/" : text.split(atScalar: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
    let parts = whole.split(atScalar: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].dropping(firstScalar: "/") ?? parts[0]
    let segments = path.split(atScalar: "/", omittingEmptySubsequences: false).map { decoded($0) }
    let items = parts.count < 2 || parts[1].isEmpty ? [] : parts[1].split(atScalar: "&")
    return (
      match.map { String($0.1) }, segments,
      items.map { item in
        let halves = item.split(atScalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return QueryItem(decoded(halves[0]), halves.count > 1 ? decoded(halves[1].replacing("+", with: " ")) : "")
      }
    )
  }

  /// Returns the server of the request.
  ///
  /// - Throws: `CommandError` if the vendor's credentials would be sent to another server than the session's;
  ///   `TransportError` for an invalid URL.
  func base(in scope: CommandScope) async throws -> URL {
    let own = try await scope.address()
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

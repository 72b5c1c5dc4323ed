import Foundation
import Language
import Networking
import Text

/// A `curl` command line as browsers and READMEs write it: what it would send, before any file is read.
struct PastedCurl: Hashable, Sendable {
  /// A piece of a body; those of several `-d` are joined with `&`.
  enum Piece: Hashable, Sendable {
    case text(String)
    /// A file; `-d` leaves out its line ends.
    case file(String, stripsLines: Bool)
    /// `--data-urlencode NAME@FILE`.
    case encodedFile(String, name: String)
  }

  /// One field of `-F`.
  struct Part: Hashable, Sendable {
    var name: String
    var value: String
    /// The value is the path of a file: sent as one (`@`), or its text alone (`<`).
    var isFile = false
    var isText = false
    var type: String?
    var fileName: String?
  }

  enum Content: Hashable, Sendable {
    case none
    case data([Piece])
    case form([Part])
  }

  private(set) var method = ""
  private(set) var address = ""
  private(set) var headers: [Header] = []
  /// `name:password`, sent as basic credentials (RFC 7617).
  private(set) var user: String?
  private(set) var content = Content.none
  /// `-o FILE`, `> FILE`.
  private(set) var file: String?
  private(set) var pipe: String?
  /// `-k` was asked for, which is not followed.
  private(set) var isInsecure = false

  private var isQuery = false
  private var isHead = false
  private var isJSON = false
  private var keepsDots = false
  private var keepsBraces = false
  private var words: ArraySlice<String> = []

  /// - Throws: `ParseError` for an option that is not known, and for what cannot be one request.
  init(_ line: String) throws(ParseError) {
    let cut = try CurlWords(line)
    (pipe, file) = (cut.pipe, cut.file)
    words = cut.words.dropFirst()
    while let word = words.popFirst() {
      if word.hasPrefix("--"), word.count > 2 {
        try long(String(word.dropFirst(2)))
      } else if word.hasPrefix("-"), word.count > 1 {
        try short(word.dropFirst())
      } else {
        try aim(word)
      }
    }
    try finish()
  }
}

/// Its options.
extension PastedCurl {
  /// What changes nothing of the request, or what is so here already.
  private static let ignoredFlags: Set = [
    "silent", "show-error", "include", "location", "verbose", "compressed", "fail", "fail-with-body", "no-buffer",
    "http1.1", "http1.0", "http2", "http2-prior-knowledge", "http3", "ipv4", "ipv6", "tlsv1.2", "tlsv1.3",
    "progress-bar",
    "no-progress-meter", "location-trusted", "tcp-nodelay", "no-keepalive", "remote-name-all", "create-dirs",
    "ssl-no-revoke",
    "tr-encoding", "styled-output", "parallel", "disable", "basic",
  ]
  private static let ignoredValues: Set = [
    "max-time", "connect-timeout", "retry", "retry-delay", "retry-max-time", "write-out", "max-redirs", "limit-rate",
    "trace-ascii", "dump-header", "keepalive-time", "stderr",
  ]
  private static let shorts: [Character: String] = [
    "s": "silent", "S": "show-error", "i": "include", "L": "location", "v": "verbose", "f": "fail", "N": "no-buffer",
    "0": "http1.0", "4": "ipv4", "6": "ipv6", "#": "progress-bar", "q": "disable", "m": "max-time", "w": "write-out",
    "D": "dump-header", "X": "request", "H": "header", "d": "data", "F": "form", "G": "get", "u": "user",
    "k": "insecure",
    "I": "head", "A": "user-agent", "e": "referer", "b": "cookie", "o": "output", "g": "globoff",
  ]
  private static let valued: Set = [
    "request", "header", "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "form",
    "form-string", "user",
    "user-agent", "referer", "cookie", "output", "url", "oauth2-bearer", "url-query",
  ]

  /// `-sSL`, `-XPOST`, `-d@file`.
  private mutating func short(_ letters: Substring) throws(ParseError) {
    var rest = letters
    while let letter = rest.popFirst() {
      guard let name = PastedCurl.shorts[letter] else { throw PastedCurl.unknown("-" + String(letter)) }
      if PastedCurl.valued.contains(name) || PastedCurl.ignoredValues.contains(name) {
        if !rest.isEmpty { words.insert(String(rest), at: words.startIndex) }
        return try long(name)
      }
      try long(name)
    }
  }

  private mutating func long(_ name: String) throws(ParseError) {
    if PastedCurl.ignoredFlags.contains(name) { return }
    if PastedCurl.ignoredValues.contains(name) {
      _ = try value(of: name)
      return
    }
    switch name {
    case "get": isQuery = true
    case "head": isHead = true
    case "insecure": isInsecure = true
    case "path-as-is": keepsDots = true
    case "globoff": keepsBraces = true
    case _ where PastedCurl.valued.contains(name): try take(name, try value(of: name))
    default: throw PastedCurl.unknown("--" + name)
    }
  }

  private mutating func value(of name: String) throws(ParseError) -> String {
    guard let value = words.popFirst() else {
      throw ParseError(
        LocalizedText("curl's \(.field("--" + name)) has no value.", ko: "curl의 \(.field("--" + name))에 값이 없습니다."))
    }
    return value
  }

  private mutating func take(_ name: String, _ value: String) throws(ParseError) {
    switch name {
    case "request": method = value
    case "url": try aim(value)
    case "header": try header(value)
    case "user-agent": try header("User-Agent: " + value)
    case "referer": try header("Referer: " + value)
    case "cookie":
      guard value.contains("=") || CurlWords.holdsVariable(value) else {
        throw PastedCurl.unknown("-b " + value)
      }
      try header("Cookie: " + value)
    case "user": user = value
    case "oauth2-bearer": try header("Authorization: Bearer " + value)
    case "output": file = value == "-" ? nil : value
    case "data", "data-ascii":
      add(value.hasPrefix("@") ? .file(String(value.dropFirst()), stripsLines: true) : .text(value))
    case "data-raw": add(.text(value))
    case "data-binary": add(value.hasPrefix("@") ? .file(String(value.dropFirst()), stripsLines: false) : .text(value))
    case "json":
      isJSON = true
      let piece: Piece = value.hasPrefix("@") ? .file(String(value.dropFirst()), stripsLines: false) : .text(value)
      add(piece, joinedBy: "")
    case "data-urlencode": add(PastedCurl.encoded(value))
    case "form", "form-string": add(try Part(value, isLiteral: name == "form-string"))
    default: throw PastedCurl.unknown("--" + name)
    }
  }

  private mutating func add(_ piece: Piece, joinedBy sign: String = "&") {
    guard case .data(var pieces) = content else {
      content = .data([piece])
      return
    }
    if !sign.isEmpty { pieces.append(.text(sign)) }
    content = .data(pieces + [piece])
  }

  private mutating func add(_ part: Part) {
    guard case .form(let parts) = content else {
      content = .form([part])
      return
    }
    content = .form(parts + [part])
  }

  /// `Name: value`; `Name;` is one without a value, `Name:` takes away what curl would send itself.
  private mutating func header(_ text: String) throws(ParseError) {
    if text.hasPrefix("@") { throw PastedCurl.unknown("-H " + text) }
    guard let colon = text.firstIndex(of: ":") else {
      if text.hasSuffix(";") { headers.append(Header(String(text.dropLast()), "")) }
      return
    }
    let value = text[text.index(after: colon)...].trimmed
    guard !value.isEmpty else { return }
    headers.append(Header(String(text[..<colon]), value))
  }

  private mutating func aim(_ word: String) throws(ParseError) {
    guard address.isEmpty else {
      throw ParseError(
        LocalizedText("The pasted line has two addresses.", ko: "붙여 넣은 줄에 주소가 둘입니다."),
        next: LocalizedText(
          "One \(.command("curl")) sends one request here.", ko: "여기서는 \(.command("curl")) 하나가 요청 하나입니다."))
    }
    address = word
  }

  private static func unknown(_ option: String) -> ParseError {
    ParseError(
      LocalizedText(
        "The option \(.field(option)) of curl is not understood here.", ko: "curl의 \(.field(option)) 옵션은 여기서 이해하지 못합니다."
      ),
      next: LocalizedText(
        "There are -X -H -d --data-raw --data-binary --data-urlencode --json -F -G -u -A -e -b -I -o, and those that only print.",
        ko: "-X -H -d --data-raw --data-binary --data-urlencode --json -F -G -u -A -e -b -I -o와 출력 옵션을 쓸 수 있습니다."))
  }

  /// `name=a b`, `=a b`, `a b`, `name@file`, as a form writes it.
  private static func encoded(_ text: String) -> Piece {
    if let sign = text.firstIndex(where: { $0 == "=" || $0 == "@" }) {
      let (name, rest) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
      if text[sign] == "@" { return .encodedFile(rest, name: name) }
      return .text((name.isEmpty ? "" : name + "=") + formEscaped(rest))
    }
    return .text(formEscaped(text))
  }

  /// What is not plain percent-encoded, and a blank as `+`.
  static func formEscaped(_ bytes: Data) -> String { escaped(bytes).replacing("%20", with: "+") }

  private static func formEscaped(_ text: String) -> String {
    CurlWords.mapped(text, encodesValues: true) { formEscaped(Data($0.utf8)) }
  }

  private static func escaped(_ bytes: Data) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    return bytes.map { byte in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}

/// What it comes to as a whole.
extension PastedCurl {
  private mutating func finish() throws(ParseError) {
    guard !address.isEmpty else {
      throw ParseError(LocalizedText("The pasted line has no address.", ko: "붙여 넣은 줄에 주소가 없습니다."))
    }
    if isQuery, case .data(let pieces) = content {
      let texts = pieces.compactMap { piece -> String? in if case .text(let text) = piece { text } else { nil } }
      guard texts.count == pieces.count else { throw PastedCurl.unknown("-G -d @file") }
      address += (address.contains("?") ? "&" : "?") + texts.joined()
      content = .none
    }
    try address = PastedCurl.cleaned(address, keepsDots: keepsDots, keepsBraces: keepsBraces)
    if isJSON {
      for (name, value) in [("Content-Type", "application/json"), ("Accept", "application/json")]
      where !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
        headers.append(Header(name, value))
      }
    }
    if method.isEmpty { method = isHead ? "HEAD" : content == .none ? "GET" : "POST" }
    guard Networking.Method(rawValue: method) != nil else { throw PastedCurl.unknown("-X " + method) }
  }

  /// As curl reads an address: no fragment, dots in the path resolved, a path at least.
  private static func cleaned(_ text: String, keepsDots: Bool, keepsBraces: Bool) throws(ParseError) -> String {
    func wrong() -> ParseError {
      ParseError(
        LocalizedText(
          "\(.value(CurlWords.spelled(text))) is no address that curl would take.",
          ko: "\(.value(CurlWords.spelled(text))), curl이 받는 주소가 아닙니다."))
    }
    if !keepsBraces, text.contains(where: { "{}[]".contains($0) }) { throw wrong() }
    let whole = text.contains("://") ? text : "http://" + text
    if let host = whole.prefixMatch(of: /[A-Za-z]+:\/\/[^\/?#]*/)?.output, CurlWords.holdsVariable(String(host)) {
      throw ParseError(
        LocalizedText(
          "The server of the pasted line is a variable: \(.value(CurlWords.spelled(String(host)))).",
          ko: "붙여 넣은 줄의 서버가 변수입니다: \(.value(CurlWords.spelled(String(host))))."),
        next: LocalizedText(
          "Write the server itself; a variable may stand in the path, the query, a header or the body.",
          ko: "서버는 그대로 적으세요. 변수는 경로, 쿼리, 헤더, 본문에 쓸 수 있습니다."))
    }
    guard let match = whole.prefixMatch(of: /(https?:\/\/)([^\/?#]+)([^?#]*)(\?[^#]*)?/.ignoresCase()),
      !whole.contains(" "),
      !match.2.contains("@")
    else { throw wrong() }
    var path = match.3.isEmpty ? "/" : String(match.3)
    if !keepsDots { path = resolved(path) }
    return match.1.lowercased() + String(match.2) + ascii(path) + ascii(String(match.4 ?? ""))
  }

  private static func resolved(_ path: String) -> String {
    var steps: [Substring] = []
    let pieces = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (number, piece) in pieces.enumerated() {
      let isLast = number == pieces.count - 1
      switch piece {
      case ".": if isLast { steps.append("") }
      case "..":
        if !steps.isEmpty { steps.removeLast() }
        if isLast { steps.append("") }
      default: steps.append(piece)
      }
    }
    return "/" + steps.joined(separator: "/")
  }

  /// Letters of other scripts as a browser sends them.
  static func ascii(_ text: String) -> String {
    CurlWords.mapped(text) { $0.utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : escaped(Data([$0])) }.joined() }
  }

  /// `https://shop.example:8080`
  var origin: String { String(address.prefixMatch(of: /https?:\/\/[^\/?#]+/)?.output ?? "") }

  /// Path and query, exactly.
  var target: String { String(address.dropFirst(origin.count)) }
}

extension PastedCurl.Part {
  /// `name=value`, `name=@path;type=image/png;filename=a.png`, `name=<path`.
  fileprivate init(_ text: String, isLiteral: Bool) throws(ParseError) {
    guard let equals = text.firstIndex(of: "=") else {
      throw ParseError(
        LocalizedText("A field of curl's -F looks like name=value.", ko: "curl의 -F 값은 name=value처럼 씁니다."))
    }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
    if isLiteral { return }
    isFile = value.hasPrefix("@")
    isText = value.hasPrefix("<")
    if isFile || isText { value.removeFirst() }
    while let match = value.firstMatch(of: /;\s*(type|filename)=("([^"]*)"|[^;]*)$/) {
      let given = String(match.3 ?? match.2)
      if match.1 == "type" { type = given } else { fileName = given }
      value = String(value[..<match.range.lowerBound])
    }
    if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
      value = String(value.dropFirst().dropLast()).replacing(/\\(["\\])/) { String($0.1) }
    }
  }
}

import CommandLanguage
import Foundation
import Networking
import Text

/// A parsed `curl` command as written by browsers and READMEs.
///
/// No file has been read yet.
struct CurlCommandParser: Hashable, Sendable {
  /// A part of a body.
  ///
  /// Those of several `-d` are joined with `&`.
  enum Piece: Hashable, Sendable {
    case text(String)
    /// The content of a file.
    ///
    /// `-d` removes its line ends.
    case file(String, stripsLines: Bool)
    /// The option `--data-urlencode NAME@FILE`.
    case encodedFile(String, name: String)
  }

  enum Content: Hashable, Sendable {
    case none
    case data([Piece])
    case form([Part])

    /// The texts in the line, without those that are in files.
    var texts: [String] {
      switch self {
      case .none: []
      case .data(let pieces): pieces.compactMap { if case .text(let text) = $0 { text } else { nil } }
      case .form(let parts): parts.map(\.value)
      }
    }
  }

  private(set) var method = ""
  private(set) var address = ""
  private(set) var headers: [HeaderField] = []
  /// The headers of options such as `-A`, which one of `-H` replaces.
  private var optionHeaders: [HeaderField] = []
  /// The credentials `name:password`, sent with the Basic scheme (RFC 7617).
  private(set) var user: String?
  private(set) var content = Content.none
  /// The output file of `-o FILE` or `> FILE`.
  private(set) var file: String?
  private(set) var pipe: String?
  /// A Boolean value that indicates the option `-k`, which isn't supported.
  private(set) var isInsecure = false
  /// The output in addition to the body, and the treatment of redirections.
  private(set) var output = Output()
  /// The option `-m`: the time limit for the request with its response.
  private(set) var deadline: Duration?
  /// The option `--connect-timeout`.
  private(set) var connectTimeout: Duration?
  /// The option `-G` with files: the parts to be appended to the query once they have been read.
  private(set) var queryPieces: [Piece] = []

  /// The output of curl, and its treatment of redirections.
  struct Output: Hashable, Sendable {
    /// The options `-i`, `-I`, `-D -`: print status line and headers before the body.
    var includesHead = false
    /// The option `-v`: print request and response on standard error.
    var isVerbose = false
    /// The option `-f`: don't print the body of a response with a status of 400 or above.
    var hidesErrors = false
    /// The option `-w`.
    var writeOut: CurlWriteOut?
    /// The option `-L`: the maximum number of redirections (`--max-redirs`), or `nil` if they aren't followed.
    var redirects: Int?
  }

  /// The words of this language after the request, which answer the question before a write.
  private(set) var confirmations: [String] = []

  private var isQuery = false
  private var isHead = false
  private var isJSON = false
  private var keepsDots = false
  private var keepsBraces = false
  /// A Boolean value that indicates that `Accept: */*` was added as by curl and isn't in the line.
  private(set) var sendsAcceptByItself = false
  private var takesRemoteName = false
  private var followsRedirects = false
  private var maximumRedirects = 50
  /// The headers that the line removes, in lowercase: `-H 'Accept:'`.
  private var removedHeaders: Set<String> = []
  private var words: ArraySlice<String> = []

  /// Parses a line.
  ///
  /// - Throws: `ParseError` for an unknown option, and for a line that isn't exactly one request.
  init(_ line: String) throws(ParseError) {
    let cut = try ShellTokenizer(line)
    (pipe, file) = (cut.pipe, cut.file)
    words = cut.words.dropFirst()
    while let word = words.popFirst() {
      if word.hasPrefix("--"), word.count > 2 {
        _ = try apply(word)
      } else if word.hasPrefix("-"), word.count > 1 {
        // `-sSL`, and with a value `-XPOST`.
        var letters = word.dropFirst()
        while let letter = letters.popFirst(), try !apply("-" + String(letter), before: letters) {}
      } else {
        try setAddress(word)
      }
    }
    try finalize()
  }
}

// MARK: - Options
extension CurlCommandParser {
  private enum Option: Sendable {
    case flag(@Sendable (inout CurlCommandParser) -> Void)
    /// An option with a value, of which some may not be supported.
    case value(
      if: @Sendable (String) -> Bool = { _ in true },
      @Sendable (inout CurlCommandParser, String) throws(ParseError) -> Void)
  }

  /// The options by their names: what each does to the request, and whether a value follows.
  private static let options = table([
    // Those that don't affect the request, or that are already the case here.
    "-s --silent -S --show-error --styled-output -# --progress-bar --no-progress-meter": .flag { _ in },
    "--http1.1 -4 --ipv4 -6 --ipv6 --tlsv1.2 --tlsv1.3 --ssl-no-revoke --tcp-nodelay --no-keepalive": .flag { _ in },
    "--fail-with-body -N --no-buffer --create-dirs -q --disable --basic": .flag { _ in },
    "--retry --retry-delay --retry-max-time --limit-rate --keepalive-time --stderr": .value { _, _ in },

    "-X --request": .value { $0.method = $1 },
    "--url": .value { curl, text throws(ParseError) in try curl.setAddress(text) },
    "-G --get": .flag { $0.isQuery = true },
    "-I --head": .flag { ($0.isHead, $0.output.includesHead) = (true, true) },
    "-g --globoff": .flag { $0.keepsBraces = true },
    "--path-as-is": .flag { $0.keepsDots = true },
    "-k --insecure": .flag { $0.isInsecure = true },
    "-m --max-time": .value(if: { seconds($0) != nil }) { $0.deadline = seconds($1) },
    "--connect-timeout": .value(if: { seconds($0) != nil }) { $0.connectTimeout = seconds($1) },
    "-L --location": .flag { $0.followsRedirects = true },
    "--max-redirs": .value(if: { Int($0).map { $0 >= 0 } == true }) { $0.maximumRedirects = Int($1) ?? 0 },

    "-H --header": .value { curl, text throws(ParseError) in try curl.header(text) },
    "-A --user-agent": .value(if: { !$0.isEmpty }) { $0.setOptionHeader("User-Agent", $1) },
    "-e --referer": .value { $0.setOptionHeader("Referer", $1) },
    "-b --cookie": .value(if: { isPair($0, "=") }) { $0.setOptionHeader("Cookie", $1, joinedBy: ";") },
    "-u --user": .value(if: { isPair($0, ":") }) { $0.user = $1 },
    "--oauth2-bearer": .value { $0.setOptionHeader("Authorization", "Bearer " + $1) },
    "--compressed": .flag { $0.setOptionHeader("Accept-Encoding", "deflate, gzip") },

    "-d --data --data-ascii": .value { $0.add(piece($1, stripsLines: true)) },
    "--data-raw": .value { $0.add(.text($1)) },
    "--data-binary": .value { $0.add(piece($1)) },
    "--data-urlencode": .value(if: { !ShellTokenizer.holdsEscapedVariable($0) }) { $0.add(encoded($1)) },
    "--json": .value { $0.addJSON(piece($1)) },
    "-F --form": .value { curl, text throws(ParseError) in curl.add(try Part(text, isLiteral: false)) },
    "--form-string": .value { curl, text throws(ParseError) in curl.add(try Part(text, isLiteral: true)) },

    "-o --output": .value { $0.file = $1 == "-" ? nil : $1 },
    "-O --remote-name": .flag { $0.takesRemoteName = true },
    "-i --include --show-headers": .flag { $0.output.includesHead = true },
    "-D --dump-header": .value(if: { $0 == "-" }) { curl, _ in curl.output.includesHead = true },
    "-v --verbose": .flag { $0.output.isVerbose = true },
    "-f --fail": .flag { $0.output.hidesErrors = true },
    "-w --write-out": .value { curl, text throws(ParseError) in curl.output.writeOut = try CurlWriteOut(text) },
  ])

  private static func table(_ rows: KeyValuePairs<String, Option>) -> [String: Option] {
    rows.reduce(into: [:]) { table, row in
      for name in row.key.split(separator: " ") { table[String(name)] = row.value }
    }
  }

  /// Applies an option, whose value is the rest of its word or the next word, and returns whether it has a value.
  private mutating func apply(_ name: String, before rest: Substring = "") throws(ParseError) -> Bool {
    switch CurlCommandParser.options[name] {
    case nil: throw CurlCommandParser.unknown(name)
    case .flag(let change):
      change(&self)
      return false
    case .value(let isSupported, let change):
      guard let value = rest.isEmpty ? words.popFirst() : String(rest) else {
        throw ParseError(
          LocalizedText("curl option \(.field(name)) needs a value.", ko: "curl의 \(.field(name))에 값이 없습니다."))
      }
      guard isSupported(value) else {
        throw CurlCommandParser.unknown(name + " " + (value.isEmpty ? "''" : ShellTokenizer.spelled(value)))
      }
      try change(&self, value)
      return true
    }
  }

  private static func isPair(_ text: String, _ sign: Character) -> Bool {
    text.contains(sign) || ShellTokenizer.holdsVariable(text)
  }

  private static func piece(_ text: String, stripsLines: Bool = false) -> Piece {
    text.hasPrefix("@") ? .file(String(text.dropFirst()), stripsLines: stripsLines) : .text(text)
  }

  /// Returns seconds with an optional fraction, as curl reads them, or `nil`.
  private static func seconds(_ text: String) -> Duration? {
    guard let match = text.wholeMatch(of: /([0-9]{1,6})(?:\.([0-9]{1,3})[0-9]*)?/), let whole = Int(match.1) else {
      return nil
    }
    let fraction = match.2.map { String($0).padding(toLength: 3, withPad: "0", startingAt: 0) }.flatMap { Int($0) } ?? 0
    return .milliseconds(whole * 1000 + fraction)
  }

  private mutating func addJSON(_ piece: Piece) {
    isJSON = true
    add(piece, joinedBy: "")
  }

  private mutating func add(_ piece: Piece, joinedBy sign: String = "&") {
    guard case .data(let pieces) = content else { return content = .data([piece]) }
    content = .data(pieces + (sign.isEmpty ? [] : [.text(sign)]) + [piece])
  }

  private mutating func add(_ part: Part) {
    guard case .form(let parts) = content else { return content = .form([part]) }
    content = .form(parts + [part])
  }

  private mutating func setOptionHeader(_ name: String, _ value: String, joinedBy sign: String? = nil) {
    let earlier = sign.flatMap { sign in optionHeaders.first { $0.name == name }.map { $0.value + sign } }
    optionHeaders.removeAll { $0.name == name }
    if !value.isEmpty { optionHeaders.append(HeaderField(name, (earlier ?? "") + value)) }
  }

  /// Parses a header: `Name: value`; `Name;` for an empty value; `Name:` to remove a default header.
  private mutating func header(_ text: String) throws(ParseError) {
    if text.unicodeScalars.first == "@" { throw CurlCommandParser.unknown("-H " + text) }
    let fixed = ["host", "user-agent", "content-type", "content-length", "transfer-encoding", "connection"]
    guard let (beginning, end) = text.halves(atScalar: ":") else {
      guard text.hasSuffix(";") else { return }
      let name = String(text.dropLast())
      if RawRequestArguments.isManaged(name) { throw RawRequestArguments.managed(name) }
      headers.append(HeaderField(name, ""))
      return
    }
    let (name, value) = (String(beginning), end.trimmed)
    guard !value.isEmpty else {
      // Headers that a transport must send, or adds itself, can't be removed.
      if fixed.contains(name.lowercased()) { throw CurlCommandParser.unknown("-H '\(name):'") }
      removedHeaders.insert(name.lowercased())
      return
    }
    if RawRequestArguments.isManaged(name) { throw RawRequestArguments.managed(name) }
    headers.append(HeaderField(name, value))
  }

  private mutating func setAddress(_ word: String) throws(ParseError) {
    guard address.isEmpty else {
      if ["yes", "again", "outliers", "unproven"].contains(word) { return confirmations.append(word) }
      throw ParseError(
        LocalizedText("The pasted line contains two URLs.", ko: "붙여 넣은 명령에 주소가 두 개 있습니다."),
        suggestion: TypographicDash.hint(word)
          ?? LocalizedText(
            "Paste one \(.command("curl")) command with one URL.", ko: "\(.command("curl")) 명령 하나에는 주소를 하나만 쓸 수 있습니다."))
    }
    address = word
  }

  static func unknown(_ option: String) -> ParseError {
    ParseError(
      LocalizedText(
        "Unsupported curl option: \(.field(option)).", ko: "지원하지 않는 curl 옵션입니다: \(.field(option))."
      ),
      suggestion: LocalizedText(
        "Supported: -X -H -d --data-raw --data-binary --data-urlencode --json -F -G -u -A -e -b -I -L -m -o -O -w -i -v -f -s.",
        ko:
          "지원하는 옵션: -X -H -d --data-raw --data-binary --data-urlencode --json -F -G -u -A -e -b -I -L -m -o -O -w -i -v -f -s."
      ))
  }

  /// Encodes `name=a b`, `=a b`, `a b` and `name@file` like a form.
  private static func encoded(_ text: String) -> Piece {
    let scalars = text.unicodeScalars
    if let sign = scalars.firstIndex(where: { $0 == "=" || $0 == "@" }) {
      let (name, rest) = (String(scalars[..<sign]), String(scalars[scalars.index(after: sign)...]))
      if scalars[sign] == "@" { return .encodedFile(rest, name: name) }
      return .text((name.isEmpty ? "" : name + "=") + formEscaped(rest))
    }
    return .text(formEscaped(text))
  }

  /// Returns the text in the encoding of `application/x-www-form-urlencoded`, in which a space is `+`.
  static func formEscaped(_ bytes: Data) -> String { PercentEncoding.query(bytes).replacing("%20", with: "+") }

  private static func formEscaped(_ text: String) -> String {
    ShellTokenizer.mapped(text, encodesValues: true) { formEscaped(Data($0.utf8)) }
  }
}

// MARK: - Resulting request
extension CurlCommandParser {
  private mutating func finalize() throws(ParseError) {
    guard !address.isEmpty else {
      throw ParseError(LocalizedText("The pasted line contains no URL.", ko: "붙여 넣은 명령에 주소가 없습니다."))
    }
    if isQuery, case .data(let pieces) = content {
      if content.texts.count == pieces.count {
        address += (address.contains("?") ? "&" : "?") + content.texts.joined()
      } else {
        queryPieces = pieces
      }
      content = .none
    }
    try address = CurlCommandParser.cleaned(address, keepsDots: keepsDots, keepsBraces: keepsBraces)
    try applyOptionHeaders()
    if isJSON {
      for (name, value) in [("Content-Type", "application/json"), ("Accept", "application/json")]
      where !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
        headers.append(HeaderField(name, value))
      }
    }
    if takesRemoteName {
      let name =
        Substring(target.unicodeScalars.prefix { $0 != "?" }).split(atScalar: "/").last.map { String($0) } ?? ""
      guard !name.isEmpty, !ShellTokenizer.holdsVariable(name) else { throw CurlCommandParser.unknown("-O") }
      file = name
    }
    if followsRedirects { output.redirects = maximumRedirects }
    if method.isEmpty { method = isHead ? "HEAD" : content == .none ? "GET" : "POST" }
    guard Networking.RequestMethod(rawValue: method) != nil else { throw CurlCommandParser.unknown("-X " + method) }
    // The headers that curl adds itself.
    if !removedHeaders.contains("accept"), !headers.contains(where: { $0.name.lowercased() == "accept" }) {
      headers.insert(HeaderField("Accept", "*/*"), at: 0)
      sendsAcceptByItself = true
    }
  }

  /// Adds the headers of options that no `-H` sets or removes, and checks the media type of a form.
  private mutating func applyOptionHeaders() throws(ParseError) {
    let given = removedHeaders.union(headers.map { $0.name.lowercased() })
    headers += optionHeaders.filter { !given.contains($0.name.lowercased()) }
    if given.contains("authorization") || optionHeaders.contains(where: { $0.name == "Authorization" }) { user = nil }
    guard case .form = content,
      let type = headers.first(where: { $0.name.lowercased() == "content-type" && $0.value != "multipart/form-data" })
    else { return }
    throw ParseError(
      LocalizedText(
        "A form of \(.field("-F")) cannot be sent as \(.value(ShellTokenizer.spelled(type.value))).",
        ko: "\(.field("-F"))의 폼은 \(.value(ShellTokenizer.spelled(type.value)), .toward) 보낼 수 없습니다."),
      suggestion: LocalizedText(
        "Remove \(.command("-H 'Content-Type: …'")): curl sets it with the boundary of the form.",
        ko: "\(.command("-H 'Content-Type: …'"), .object) 지우세요. curl이 폼의 경계와 함께 정합니다."))
  }

  /// Returns whether curl sends the text as a URL or a part of one: without blanks and control characters.
  static func isURL(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }

  static func invalidURL(_ text: String) -> ParseError {
    ParseError(
      LocalizedText(
        "Invalid URL: \(.value(ShellTokenizer.spelled(text))).",
        ko: "잘못된 주소입니다: \(.value(ShellTokenizer.spelled(text)))."))
  }

  /// Returns a URL as curl normalizes it: without a fragment, with dot segments resolved and a non-empty path.
  private static func cleaned(_ text: String, keepsDots: Bool, keepsBraces: Bool) throws(ParseError) -> String {
    let typed = text.contains("://") ? text : "http://" + text
    let whole = keepsBraces ? typed : try unglobbed(typed)
    if whole.contains(/^[A-Za-z]+:\/\/[^\/?#]*@/) { throw RawRequestArguments.typedSecret }
    if let host = whole.prefixMatch(of: /[A-Za-z]+:\/\/[^\/?#]*/)?.output, ShellTokenizer.holdsVariable(String(host)) {
      throw ParseError(
        LocalizedText(
          "The host in the pasted line is a variable: \(.value(ShellTokenizer.spelled(String(host)))).",
          ko: "붙여 넣은 명령의 호스트가 변수입니다: \(.value(ShellTokenizer.spelled(String(host))))."),
        suggestion: LocalizedText(
          "Write out the host. Variables are allowed in the path, query, headers and body.",
          ko: "서버는 그대로 적으세요. 변수는 경로, 쿼리, 헤더, 본문에 쓸 수 있습니다."))
    }
    guard let match = whole.prefixMatch(of: /(https?:\/\/)([^\/?#]+)([^?#]*)(\?[^#]*)?/.ignoresCase()),
      isURL(whole), !match.2.contains("@")
    else { throw invalidURL(text) }
    var path = match.3.isEmpty ? "/" : String(match.3)
    if !keepsDots { path = resolved(path) }
    return match.1.lowercased() + String(match.2) + ascii(path) + ascii(String(match.4 ?? ""))
  }

  /// Returns a URL as curl reads it without `-g`: `\[`, `\]`, `\{` and `\}` are the characters themselves, and so is `[]`.
  ///
  /// - Throws: `ParseError` for a set or a range, which curl sends a request for each element of, and for what curl rejects.
  private static func unglobbed(_ text: String) throws(ParseError) -> String {
    // An IPv6 address is in brackets.
    let host = text.prefixMatch(of: /[A-Za-z]+:\/\/\[[0-9A-Fa-f:.]+\]/)?.output ?? ""
    var result = String(host)
    var rest = text.dropFirst(host.count)
    while let next = rest.first {
      if next == "\\", let escaped = rest.dropFirst().first, "[]{}".contains(escaped) {
        result.append(escaped)
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("[]") {
        result += "[]"
        rest = rest.dropFirst(2)
      } else if "[{".contains(next),
        let glob = rest.prefixMatch(
          of: /\{[^{}\[\],]*(,[^{}\[\],]*)+\}|\[[0-9A-Za-z]+-[0-9A-Za-z]+(:[0-9]+)?\]/)?.output.0
      {
        throw ParseError(
          LocalizedText(
            "curl would send several requests for \(.value(String(glob))), but one command sends one request.",
            ko: "curl은 \(.value(String(glob)))마다 요청을 보내지만, openmarket의 명령 하나는 요청 하나를 보냅니다."),
          suggestion: bracesHint)
      } else if "[]{}".contains(next) {
        throw ParseError(
          LocalizedText(
            "curl reads \(.value(String(next))) in a URL as the beginning or end of a range, and rejects this one.",
            ko: "curl은 주소의 \(.value(String(next)), .object) 범위의 처음이나 끝으로 읽고, 이 주소를 거부합니다."),
          suggestion: LocalizedText(
            "Add \(.command("-g")) to send the braces percent-encoded.",
            ko: "괄호를 퍼센트 인코딩해 보내려면 \(.command("-g"), .object) 붙이세요."))
      } else {
        result.append(next)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static let bracesHint = LocalizedText(
    "Paste it once per URL, or add \(.command("-g")) to send the braces percent-encoded.",
    ko: "주소마다 한 번씩 붙여 넣거나, 괄호를 퍼센트 인코딩해 보내려면 \(.command("-g"), .object) 붙이세요.")

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

  /// Returns the URL with what isn't ASCII percent-encoded.
  private static func ascii(_ text: String) -> String {
    ShellTokenizer.mapped(text) {
      $0.utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : PercentEncoding.query([$0]) }.joined()
    }
  }

  /// The scheme, host and port: `https://shop.example:8080`.
  var origin: String { String(address.prefixMatch(of: /https?:\/\/[^\/?#]+/)?.output ?? "") }

  /// The path and query, unchanged.
  var target: String { String(address.dropFirst(origin.count)) }
}

import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import OrderedCollections
import Presentation
import ShellRuntime
import Text

/// A pasted `curl` command, which becomes a line of this language.
///
/// The parser can't read it, because the equivalent product command depends on the address of the server, its edition and
/// the session's credentials.
package struct PastedCurl {
  private let curl: CurlCommandParser
  private let text: String
  /// The prefixes before the command: `dry`.
  private let prefixes: [String]
  /// A Boolean value that indicates `raw` before the command, so that it is sent as it is.
  private let isRaw: Bool
  /// A Boolean value that indicates that the command had curly quotes.
  private let wasStraightened: Bool

  /// Translates a pasted command.
  ///
  /// Curly quotes outside straight ones, which a chat put in place of straight ones, count as those.
  ///
  /// - Parameter scope: The scope of the command.
  /// - Returns: The translated line, and whether it is a product command (`patch 42 price=1`) instead of `raw`; or
  ///   `nil` for a line that isn't a pasted command.
  /// - Throws: `ParseError` for a curl command that can't be parsed or that contains a secret.
  package static func translate(
    _ line: String, in scope: CommandScope
  ) async throws -> (line: String, isProductCommand: Bool)? {
    guard let pasted = try pasted(line, scope.session) else { return nil }
    if pasted.wasStraightened {
      scope.say(
        .note("Curly quotes are read as straight ones.", ko: "둥근따옴표는 곧은 따옴표로 읽었습니다."))
    }
    try pasted.curl.refuseSecrets()
    guard let command = try await pasted.equivalentCommand(in: scope) else { return (pasted.raw, false) }
    return ((pasted.prefixes + [command] + pasted.curl.confirmations).joined(separator: " "), true)
  }

  /// Translates a pasted command to `raw` for a check, without determining a product command.
  ///
  /// - Throws: `ParseError` for a curl command that can't be parsed.
  package static func checked(_ line: String, _ session: Session) throws(ParseError) -> String? {
    try pasted(line, session)?.raw
  }

  /// Returns the pasted curl command of a line, or `nil` for another line.
  private static func pasted(_ line: String, _ session: Session) throws(ParseError) -> PastedCurl? {
    guard PastedLine.matches(line) else { return nil }
    let (words, command) = PastedLine.split(line)
    let straight = CurlyQuotes.straightened(String(command))
    let text = withoutOwnSecret(straight ?? String(command), session)
    return PastedCurl(
      curl: try CurlCommandParser(text), text: text, prefixes: words.filter { $0 != "raw" },
      isRaw: words.contains("raw"), wasStraightened: straight != nil)
  }

  /// Returns the line with a variable in place of the current vendor's secret, which isn't stored.
  private static func withoutOwnSecret(_ line: String, _ session: Session) -> String {
    guard let secret = session.credentials.secret?.reveal() else { return line }
    return ShellTokenizer.line(line, naming: Credentials.secretVariable, insteadOf: secret)
  }

  private var raw: String {
    let request =
      prefixes + ["raw", curl.method, Quoting.quote(ShellTokenizer.spelled(curl.address)), "pasted"]
      + [Quoting.quote(text, always: true)] + curl.confirmations
    return request.joined(separator: " ") + clauses
  }

  private var clauses: String {
    (curl.file.map { " to " + Quoting.quote($0) } ?? "") + (curl.pipe.map { " | " + $0 } ?? "")
  }
}

// MARK: - Translation to product commands
extension PastedCurl {
  private func equivalentCommand(in scope: CommandScope) async throws -> String? {
    // A request whose response goes to a file or a program, or that specifies anything else, stays `raw`.
    guard !isRaw, curl.file == nil, curl.pipe == nil, curl.says(only: scope.session),
      let origin = URL(string: curl.origin),
      scope.session.server.url != nil || Loopback.contains(origin.host ?? ""),
      scope.session.server.isEmbedded || scope.session.server.dialect != nil
    else { return nil }
    let base = try await scope.address()
    guard RawRequestArguments.isSame(origin, base) else { return nil }
    var who = Credentials()
    who.identifier = "x"
    who.secret = Secret("xxxxxxxx")
    let market = MarketService(base, dialect: scope.session.server.expectedDialect, credentials: who)
    let names = scope.session.server.fieldNames
    switch curl.method {
    case "GET": return list(market) ?? id(market) { GetProduct($0) }.map { "show \($0)" }
    case "PATCH":
      guard let id = id(market, of: { EditProduct($0, ProductValues(stock: 1), boundary: "-") }),
        let fields = assignments(names), !fields.isEmpty
      else { return nil }
      return "patch \(id) " + fields.joined(separator: " ")
    case "DELETE":
      return market.dialect.deletionNeedsToken ? nil : id(market) { DeleteProduct($0) }.map { "rm \($0)" }
    case "POST":
      let draft = ProductDraft(
        name: "xxx", description: "xxxxxxxxxx", price: .zero, discount: .zero, currency: .krw, stock: 0, pictures: [])
      guard isCalled(CreateProduct(draft, boundary: "-"), market), let fields = assignments(names) else { return nil }
      return fields.isEmpty ? nil : "new " + fields.joined(separator: " ")
    default: return nil
    }
  }

  private func isCalled<E: Endpoint>(_ endpoint: E, _ market: MarketService) -> Bool where E.API == MarketService {
    guard let request = try? endpoint.makeRequest(to: market) else { return false }
    return (try? request.url(at: market.baseURL)) == curl.address
  }

  /// Returns the number in the URL for which the request is this endpoint's.
  private func id<E: Endpoint>(_ market: MarketService, of endpoint: (Product.ID) -> E) -> Product.ID?
  where E.API == MarketService {
    numbers.first { isCalled(endpoint($0), market) }
  }

  private var numbers: [Int] {
    curl.target.matches(of: /[1-9][0-9]{0,14}/).compactMap { Int($0.output) }
  }

  private func list(_ market: MarketService) -> String? {
    let sizes = market.dialect.supports(.pageSize) ? numbers.map { Optional($0) } + [nil] : [nil]
    let texts = curl.target.matches(of: /=([^&]*)/).map { match -> String? in
      PercentEncoding.decode(match.1.replacing("+", with: " "))
    }
    for page in numbers + [1] {
      for size in sizes {
        for search in [nil] + texts {
          guard isCalled(ListProducts(page: page, size: size, search: search), market) else { continue }
          return "ls page \(page)" + (size.map { " size \($0)" } ?? "")
            + (search.map { " search " + Quoting.quote($0, always: true) } ?? "")
        }
      }
    }
    return nil
  }

  /// Returns the fields of the body as assignments, or `nil` if one isn't a product field.
  private func assignments(_ names: FieldNameTable) -> [String]? {
    var result: [String] = []
    func add(_ object: JSONObject) -> Bool {
      for key in object.keys where !Assignment.mentionsSecretName(key) {
        guard let field = names.field(key), ProductField.writable.contains(field) || field == .sale else {
          return false
        }
        switch object[key] {
        case .string(let text): result.append(field.rawValue + "=" + Quoting.quote(text, always: true))
        case .number(let number): result.append(field.rawValue + "=" + number.literal)
        case .null, .bool, .array, .object, .invalidLiteral, nil: return false
        }
      }
      return true
    }
    switch curl.content {
    case .none: return []
    case .data(let pieces):
      guard pieces.count == 1, case .text(let text) = pieces[0], let json = try? JSON(parsing: Data(text.utf8)),
        let object = json.object
      else { return nil }
      return add(object) ? result : nil
    case .form(let parts):
      var pictures: [String] = []
      for part in parts {
        if part.isFile, part.name.hasPrefix("images") {
          pictures.append(part.value)
        } else if let object = (try? JSON(parsing: Data(part.value.utf8)))?.object {
          guard add(object) else { return nil }
        } else {
          guard !part.isFile, !part.isText, add(JSONObject([(part.name, .string(part.value))])) else { return nil }
        }
      }
      if !pictures.isEmpty { result.append("images=" + Quoting.quote(pictures.joined(separator: ","))) }
      return result
    }
  }
}

extension CurlCommandParser {
  /// Returns whether the line contains only what a product command sends itself: the vendor's own identifier and
  /// secret, and the media type of the body.
  fileprivate func says(only session: Session) -> Bool {
    guard output == Output() || output == Output(redirects: output.redirects), deadline == nil, user == nil,
      !isInsecure,
      queryPieces.isEmpty
    else { return false }
    var rest = sendsAcceptByItself ? Array(headers.dropFirst()) : headers
    let writes = Networking.RequestMethod(rawValue: method)?.isSafe != true
    if writes, session.server.hasVendorAccounts {
      guard let index = rest.firstIndex(where: { $0.name.lowercased() == "identifier" }) else { return false }
      let value = rest.remove(at: index).value
      guard
        value == session.credentials.identifier || ShellTokenizer.spelled(value) == "$" + Credentials.identifierVariable
      else { return false }
    }
    if writes {
      guard namesOwnSecret else { return false }
      rest.removeAll { header in
        header.name.lowercased() == "content-type"
          && ["application/json", "multipart/form-data"].contains { header.value.lowercased().hasPrefix($0) }
      }
    }
    return rest.isEmpty
  }

  /// A Boolean value that indicates that the body contains the vendor's own secret as a variable.
  private var namesOwnSecret: Bool {
    content.texts.contains { ShellTokenizer.holdsVariable(Credentials.secretVariable, in: $0) }
  }

  /// Rejects secrets in the line itself.
  ///
  /// A secret in a variable is read when the request is sent.
  ///
  /// - Throws: `ParseError` if the line contains a secret.
  func refuseSecrets() throws(ParseError) {
    func isTyped(_ text: String) -> Bool { !text.isEmpty && !ShellTokenizer.holdsVariable(text) }
    func holds(_ text: String) -> Bool {
      if let json = try? JSON(parsing: Data(text.utf8)) { return json.secrets.contains(where: isTyped) }
      return text.split(atScalar: "&").contains { item in
        let halves = item.split(atScalar: "=", maxSplits: 1)
        return halves.count == 2 && Assignment.mentionsSecretName(String(halves[0])) && isTyped(String(halves[1]))
      }
    }
    var found = headers.contains { Assignment.mentionsSecretName($0.name) && isTyped($0.value) }
    found = found || holds(String(target.halves(atScalar: "?")?.1 ?? ""))
    switch content {
    case .none: break
    case .data: found = found || holds(content.texts.joined())
    case .form(let parts):
      found =
        found
        || parts.contains { part in
          !part.isFile && !part.isText
            && (Assignment.mentionsSecretName(part.name) && isTyped(part.value) || holds(part.value))
        }
    }
    if found { throw RawRequestArguments.typedSecret }
  }

  /// A Boolean value that indicates that the line contains the vendor's own identifier or secret as a variable.
  var namesCredentials: Bool {
    let texts = [address, user ?? ""] + headers.map(\.value) + content.texts
    return [Credentials.identifierVariable, Credentials.secretVariable].contains { name in
      texts.contains { ShellTokenizer.holdsVariable(name, in: $0) }
    }
  }
}

import CommandLanguage
import Foundation
import MarketAPI
import Networking
import OrderedCollections
import Platform
import ShellRuntime
import Text

/// Builds the request of a line: reads files, encodes fields as JSON, a form or a query, and marks secrets.
struct RawRequestBuilder {
  private let line: RawRequestArguments
  private let scope: CommandScope
  private var secrets: [NamedSecret] = []

  init(_ line: RawRequestArguments, _ scope: CommandScope) {
    self.line = line
    self.scope = scope
  }

  /// Returns the request.
  ///
  /// - Parameter base: The server of the request.
  /// - Throws: `FileError` for a file that can't be read; `CommandError` if the bytes for another server than the session's
  ///   contain a stored secret.
  func make(for base: URL) async throws -> Request {
    var copy = self
    let request: Request
    if let pasted = line.pasted {
      request = try copy.build(pasted)
    } else {
      request = try copy.build()
    }
    let own = try await scope.address()
    if !RawRequestArguments.isSame(base, own) { try request.refuseStoredSecrets(for: base, in: scope) }
    return request
  }

  /// Marks the secrets in a query, as in `?appid=KEY`.
  private mutating func markSecrets(of query: [QueryItem]) throws {
    for item in query where CommandParser.showsSecret(item.name + "=" + item.value) {
      try addSecret(item.value, item.name)
    }
  }

  /// Builds exactly the request that curl would send, except for headers that every client adds itself.
  private mutating func build(_ pasted: CurlCommandParser) throws -> Request {
    var request = Request(line.method, line.path, query: line.query)
    try markSecrets(of: line.query)
    request.hasExactHeaders = true
    var target = try filled(pasted.target)
    if !pasted.queryPieces.isEmpty {
      let data = try pasted.queryPieces.reduce(into: Data()) { $0 += try self.bytes(of: $1) }
      target += (pasted.target.contains("?") ? "&" : "?") + String(decoding: data, as: UTF8.self)
    }
    guard CurlCommandParser.isURL(target) else { throw CurlCommandParser.invalidURL(pasted.address) }
    request.rawTarget = PercentEncoding.target(target)
    request.headers = try pasted.headers.map { try header(HeaderField($0.name, try filled($0.value))) }
    if let user = try pasted.user.map({ try filled($0) }) {
      let pair = user.contains(":") ? user : user + ":"
      request.headers.append(
        try header(HeaderField("Authorization", "Basic " + Data(pair.utf8).base64EncodedString())))
    }
    let isType = { (header: HeaderField) in header.name.lowercased() == "content-type" }
    let type = request.headers.last(where: isType)?.value
    switch pasted.content {
    case .none: break
    case .data(let pieces):
      let data = try pieces.reduce(into: Data()) { $0 += try self.bytes(of: $1) }
      for secret in (try? JSON(parsing: data))?.secrets ?? [] { try addSecret(secret, "secret") }
      request.body = .data(data, type: type ?? "application/x-www-form-urlencoded")
    case .form(let parts):
      request.body = .multipart(
        Multipart(boundary: scope.context.stores.freshName(), parts: try parts.map { try part($0) }))
    }
    // The last media type is the body's. With data curl sends every other one before it.
    switch request.body {
    case .none: break
    case .multipart: request.headers.removeAll(where: isType)
    case .data: if let last = request.headers.lastIndex(where: isType) { request.headers.remove(at: last) }
    }
    request.secrets = secrets + scope.session.secrets
    if line.clauses.file != nil { request.maxResponseBytes = 64 << 20 }
    return request.hidingDeletionTokens(of: scope.session.server.dialect?.value)
  }

  private mutating func bytes(of piece: CurlCommandParser.Piece) throws -> Data {
    switch piece {
    case .text(let text): return Data(try filled(text).utf8)
    case .file(let path, stripsLines: true): return try bytes(path).filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    case .file(let path, stripsLines: false): return try bytes(path)
    case .encodedFile(let path, let name):
      return Data(((name.isEmpty ? "" : name + "=") + CurlCommandParser.formEscaped(try bytes(path))).utf8)
    }
  }

  private mutating func part(_ pasted: CurlCommandParser.Part) throws -> Multipart.Part {
    let part = try pasted.filled { try filled($0) }
    return Multipart.Part(
      name: part.name, fileName: part.sentFileName, type: part.sentType,
      content: part.isFile || part.isText ? try bytes(part.value) : Data(part.value.utf8))
  }

  /// Returns the text with the values of its variables: the vendor's own credentials, variables of `let`, and the
  /// environment.
  private mutating func filled(_ text: String) throws -> String {
    try ShellTokenizer.filled(text, encode: { CurlCommandParser.formEscaped(Data($0.utf8)) }) { name in
      switch name {
      case Credentials.identifierVariable:
        guard let identifier = scope.session.credentials.identifier else {
          throw MarketError.notLoggedIn(missing: [.identifier])
        }
        return identifier
      case Credentials.secretVariable:
        guard let secret = scope.session.credentials.secret?.reveal() else {
          throw MarketError.notLoggedIn(missing: [.secret])
        }
        try addSecret(secret, "secret")
        return secret
      default:
        guard let known = scope.session.variables[name]?.text ?? scope.context.program.environment[name] else {
          throw Word.withoutValue(name)
        }
        if scope.session.variables[name] == nil { try addSecret(known, name) }
        return known
      }
    }
  }

  private mutating func build() throws -> Request {
    var request = Request(line.method, line.path, query: line.query)
    request.headers = try line.headers.map { try header($0) }
    if line.usesCredentials { try authorize(&request) }
    if line.method.isSafe {
      request.query += try line.fields.map { QueryItem($0.name, try text(of: $0)) }
    } else if let body = line.body {
      request.body = try self.body(body, request.headers)
    } else if !line.fields.isEmpty {
      request.body = try fields(request.headers)
    }
    try markSecrets(of: request.query)
    // The body has its own media type: that of a form must contain its boundary.
    if request.body != .none { request.headers.removeAll { $0.name.lowercased() == "content-type" } }
    request.secrets = secrets + scope.session.secrets
    if line.clauses.file != nil { request.maxResponseBytes = 64 << 20 }
    return request.hidingDeletionTokens(of: scope.session.server.dialect?.value)
  }

  private mutating func authorize(_ request: inout Request) throws {
    guard scope.session.server.hasVendorAccounts else { return }
    guard let identifier = scope.session.credentials.identifier, !identifier.isEmpty else {
      throw MarketError.notLoggedIn(missing: [.identifier])
    }
    guard Secret(identifier) != nil else { throw MarketError.invalidCredential(.identifier) }
    request.headers.append(HeaderField("identifier", identifier))
  }

  private mutating func header(_ typed: HeaderField) throws -> HeaderField {
    guard typed.value.hasPrefix("@") else {
      guard typed.isValid else { throw RawRequestArguments.unsendable(typed) }
      if CommandParser.secretHeaders.contains(typed.name.lowercased()) { try addSecret(in: typed) }
      return typed
    }
    let header = HeaderField(typed.name, try read(String(typed.value.dropFirst())))
    guard header.isValid else { throw RawRequestArguments.unsendable(header) }
    try addSecret(in: header)
    return header
  }

  private mutating func body(_ typed: String, _ headers: [HeaderField]) throws -> Body {
    let data = typed.hasPrefix("@") ? try bytes(String(typed.dropFirst())) : Data(typed.utf8)
    let json = try? JSON(parsing: data)
    for secret in json?.secrets ?? [] { try addSecret(secret, "secret") }
    let isText = String(validating: data, as: UTF8.self) != nil
    let guess = json != nil ? "application/json" : isText ? "text/plain; charset=utf-8" : "application/octet-stream"
    return .data(data, type: type(headers) ?? guess)
  }

  private mutating func fields(_ headers: [HeaderField]) throws -> Body {
    let type = type(headers) ?? "application/json"
    if type.hasPrefix("multipart/form-data") {
      return .multipart(
        Multipart(boundary: scope.context.stores.freshName(), parts: try line.fields.map { try part($0) }))
    }
    if type.hasPrefix("application/x-www-form-urlencoded") {
      let items = try line.fields.map {
        PercentEncoding.query($0.name) + "=" + PercentEncoding.query(try text(of: $0))
      }
      return .data(Data(items.joined(separator: "&").utf8), type: type)
    }
    var object = JSONObject()
    for field in line.fields {
      object[field.name] =
        field.isQuoted || field.isFile ? .string(try text(of: field)) : RawRequestBuilder.json(field.value)
    }
    if let double = object.duplicateKeys.first {
      throw ParseError(
        LocalizedText("\(.field(double)) is given more than once.", ko: "\(.field(double), .subject) 두 번 나왔습니다."))
    }
    return .data(Data(JSON.object(object).serialized.utf8), type: type)
  }

  private mutating func part(_ field: Assignment) throws -> Multipart.Part {
    guard field.isFile, !Assignment.mentionsSecretName(field.name) else {
      return Multipart.Part(name: field.name, content: Data(try text(of: field).utf8))
    }
    let name = (field.value as NSString).lastPathComponent
    return Multipart.Part(
      name: field.name, fileName: name, type: RawRequestBuilder.type(ofFile: name), content: try bytes(field.value))
  }

  private mutating func text(of field: Assignment) throws -> String {
    guard field.isFile else { return field.value }
    let text = try read(field.value)
    if Assignment.mentionsSecretName(field.name) { try addSecret(text, field.name) }
    return text
  }

  /// Marks a text as secret, which is then hidden wherever the request is shown or stored.
  ///
  /// A text that can't be recognized reliably is rejected.
  private mutating func addSecret(_ text: String, _ name: String) throws {
    if text.isEmpty { return }
    guard let secret = Secret(password: text) else { throw CommandError.unsendableSecret }
    let isVendors = ["secret", "password"].contains(name.lowercased())
    let letters = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    secrets.append(NamedSecret(isVendors ? Credentials.secretVariable : "OPENMARKET_" + String(letters), secret))
  }

  /// Marks the secrets in a header.
  ///
  /// `Bearer` before a token isn't secret; in a cookie each pair is.
  private mutating func addSecret(in header: HeaderField) throws {
    let name = header.name.lowercased()
    let words = header.value.split(separator: " ", maxSplits: 1)
    if name == "cookie" {
      for pair in header.value.split(separator: ";") { try addSecret(pair.trimmed, name) }
    } else if name.hasSuffix("authorization"), words.count == 2 {
      try addSecret(words[1].trimmed, name)
    } else {
      try addSecret(header.value, name)
    }
  }

  private func read(_ path: String) throws -> String {
    guard let text = String(validating: try bytes(path), as: UTF8.self) else { throw FileError.notText(path: path) }
    return text.trimmed
  }

  private func bytes(_ path: String) throws -> Data {
    let full = Paths.expanded(path, home: scope.context.program.environment["HOME"])
    guard let data = try Files.read(full) else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    return data
  }

  private func type(_ headers: [HeaderField]) -> String? {
    headers.first { $0.name.lowercased() == "content-type" }?.value
  }

  /// Returns a bare value as JSON if it is a literal or a number, otherwise as a text.
  private static func json(_ text: String) -> JSON {
    switch text {
    case "true": .bool(true)
    case "false": .bool(false)
    case "null": .null
    default: JSONNumber(text).map { .number($0) } ?? .string(text)
    }
  }

  private static func type(ofFile name: String) -> String {
    if (name as NSString).pathExtension.lowercased() == "json" { return "application/json" }
    return CurlCommandParser.Part.type(ofFile: name) ?? "application/octet-stream"
  }
}

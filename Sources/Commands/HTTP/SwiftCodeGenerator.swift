import Catalog
import Foundation
import MarketAPI
import Networking
import Text

/// Requests as a complete Swift program with `URLSession`, secrets from the environment and files by path.
package struct SwiftCodeGenerator {
  private struct Call {
    var request: Request
    var base: URL
    /// The text that precedes the token in the response.
    var keyPrefix: String?
    /// The response as it was received, or `nil` if it isn't decoded.
    var response: JSON?

    /// The kind of the request: its method and path, whatever the ids in it are.
    var kind: [String] {
      [request.method.rawValue] + request.path.map { $0.allSatisfy(\.isNumber) ? "#" : $0 }
    }
  }

  private let files: FormFileLocator
  private var calls: [Call] = []
  private var name = "Answer"

  package init(_ files: FormFileLocator) { self.files = files }

  package var isEmpty: Bool { calls.isEmpty }

  /// Adds a request.
  ///
  /// - Parameters:
  ///   - base: The server.
  ///   - response: Its response, for which types are written.
  ///   - name: The name of the type of the response. Types of further responses are numbered.
  package mutating func add(_ request: Request, to base: URL, response: JSON? = nil, named name: String = "Answer") {
    calls.append(Call(request: request, base: base, response: response))
    self.name = name
  }

  /// Adds the requests of a change.
  ///
  /// A deletion that needs two requests becomes both.
  ///
  /// - Throws: The errors of building the requests.
  package mutating func add(_ change: Change, at market: MarketService) throws {
    switch change {
    case .create(let draft):
      add(try CreateProduct(draft, boundary: boundary).makeRequest(to: market), to: market.baseURL)
    case .edit(let product, _, let to):
      let edit = EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: boundary)
      add(try edit.makeRequest(to: market), to: market.baseURL)
    case .delete(let product):
      guard market.dialect.deletionNeedsToken else {
        return add(try DeleteProduct(product.id).makeRequest(to: market), to: market.baseURL)
      }
      let tokenRequest = RequestDeletion(product.id)
      calls.append(
        Call(
          request: try tokenRequest.makeRequest(to: market), base: market.baseURL,
          keyPrefix: tokenRequest.prefix(for: market.dialect)))
      let token = tokenRequest.placeholder(for: market.dialect, token: "openmarket-key-of-the-first-call")
      add(try DeleteProduct(product.id, token: token).makeRequest(to: market), to: market.baseURL)
    }
  }

  private var boundary: String { "openmarket-" + String(repeating: "-", count: 8) + "boundary" }
}

// MARK: - Source code
extension SwiftCodeGenerator {
  /// The type of each response, or `nil` where it has none, and the types.
  ///
  /// Responses to requests of one kind, such as the pages of a list, have one type.
  private func decoded(besides names: inout Set<String>) -> (roots: [String?], types: [SwiftTypes]) {
    var responses: [[String]: [JSON]] = [:]
    var kinds: [[String]] = []
    for call in calls {
      guard let response = call.response else { continue }
      if responses[call.kind] == nil { kinds.append(call.kind) }
      responses[call.kind, default: []].append(response)
    }
    var types: [(kind: [String], types: SwiftTypes)] = []
    for kind in kinds {
      let name = types.isEmpty ? name : name + String(types.count + 1)
      if let found = SwiftTypes(responses[kind] ?? [], named: name, besides: &names) { types.append((kind, found)) }
    }
    let roots = calls.map { call in
      call.response == nil ? nil : types.first { $0.kind == call.kind }?.types.root
    }
    return (roots, types.map(\.types))
  }

  /// Returns the source code.
  ///
  /// - Throws: The error of copying a file that has no path.
  package func text() throws -> String {
    var lines = [
      "import Foundation", "", "#if canImport(FoundationNetworking)", "  import FoundationNetworking", "#endif", "",
    ]
    var blocks: [String] = []
    var names: Set<String> = []
    let decoded = decoded(besides: &names)
    var bodies = BodyTypes(names)
    for number in calls.indices { blocks += try block(number, root: decoded.roots[number], &bodies) + [""] }
    let body = blocks.joined(separator: "\n")
    let variables = calls.flatMap { $0.request.secrets.map(\.environmentVariable) }.reduce(into: [String]()) {
      names, name in
      if !names.contains(name), name != Credentials.deletionTokenVariable, body.contains(Self.name(of: name)) {
        names.append(name)
      }
    }
    if !variables.isEmpty {
      lines.append("let environment = ProcessInfo.processInfo.environment")
      lines += variables.map { "let \(Self.name(of: $0)) = environment[\(Self.literal($0))] ?? \"\"" }
      lines.append("")
    }
    if body.contains("escaped(") { lines += Self.escaping + [""] }
    lines += Self.checking + [""]
    for types in decoded.types { lines += [types.text, ""] }
    for type in bodies.types { lines += type + [""] }
    return (lines + [body.trimmed]).joined(separator: "\n") + "\n"
  }

  private static let checking = [
    "struct Refused: Error {", "  let status: Int", "  let body: String", "}", "",
    "func send(_ request: URLRequest) async throws -> Data {",
    "  let (data, response) = try await URLSession.shared.data(for: request)",
    "  let status = (response as? HTTPURLResponse)?.statusCode ?? 0",
    "  guard (200..<300).contains(status) else {",
    "    throw Refused(status: status, body: String(decoding: data, as: UTF8.self))", "  }", "  return data", "}",
  ]

  private static let escaping = [
    "/// A text as it stands between the quotes of JSON.", "func escaped(_ text: String) -> String {",
    "  let json = (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? \"\\\"\\\"\"",
    "  return String(json.dropFirst().dropLast())", "}",
  ]

  /// The types of the bodies of requests, one for bodies with the same members.
  private struct BodyTypes {
    private(set) var types: [[String]] = []
    private var names: [[String]: String] = [:]
    private let others: Set<String>

    init(_ others: Set<String>) { self.others = others }

    /// Returns the name of the type of a body, which is added if there is none.
    mutating func name(of body: SwiftRequestBody) -> String {
      let members = body.type(named: "")
      if let known = names[members] { return known }
      var name = types.isEmpty ? "Values" : "Values\(types.count + 1)"
      while others.contains(name) { name += "_" }
      names[members] = name
      types.append(body.type(named: name))
      return name
    }
  }

  private func block(_ number: Int, root: String?, _ bodies: inout BodyTypes) throws -> [String] {
    let call = calls[number]
    let suffix = calls.count == 1 ? "" : String(number + 1)
    let (request, answer) = ("request" + suffix, "answer" + suffix)
    let masker = SecretRedactor(call.request.secrets, in: .request)
    let address = (try? call.request.url(at: call.base)) ?? (call.base.absoluteString + call.request.target)
    var lines = ["// \(call.request.method.rawValue) \(masker.mask(call.request.target))"]
    lines.append("var \(request) = URLRequest(url: URL(string: \(expression(address, masker)))!)")
    if call.request.method != .get {
      lines.append("\(request).httpMethod = \(Self.literal(call.request.method.rawValue))")
    }
    for header in call.request.headers {
      lines.append(
        "\(request).setValue(\(expression(header.value, masker)), forHTTPHeaderField: \(Self.literal(header.name)))")
    }
    if let type = call.request.body.type {
      lines.append("\(request).setValue(\(Self.literal(type)), forHTTPHeaderField: \"Content-Type\")")
    }
    lines += try body(of: call.request, in: request, suffix, masker, &bodies)
    lines.append("let \(answer) = try await send(\(request))")
    if let prefix = call.keyPrefix {
      lines.append("var key = String(decoding: \(answer), as: UTF8.self)")
      if !prefix.isEmpty {
        lines.append("if key.hasPrefix(\(Self.literal(prefix))) { key.removeFirst(\(prefix.count)) }")
      }
    } else if let root {
      lines.append("print(try JSONDecoder().decode(\(root).self, from: \(answer)))")
    } else {
      lines.append("print(String(decoding: \(answer), as: UTF8.self))")
    }
    return lines
  }

  private func body(
    of request: Request, in name: String, _ suffix: String, _ masker: SecretRedactor, _ bodies: inout BodyTypes
  ) throws -> [String] {
    /// Returns the lines that create the value of a JSON object, and an expression for its bytes.
    func encoded(_ json: Data) -> (lines: [String], bytes: String)? {
      guard let value = SwiftRequestBody(json, string: { expression($0, masker) }) else { return nil }
      return value.value(in: "values" + suffix, of: bodies.name(of: value))
    }
    switch request.body {
    case .none: return []
    case .data(let data, let type):
      guard let text = String(validating: data, as: UTF8.self) else {
        return [
          "\(name).httpBody = try Data(contentsOf: URL(fileURLWithPath: \(Self.literal(try files.path(of: data, named: "body.bin")))))"
        ]
      }
      let isJSON = type.hasPrefix("application/json")
      if isJSON, let (lines, bytes) = encoded(data) { return lines + ["\(name).httpBody = \(bytes)"] }
      return ["\(name).httpBody = Data((\(expression(text, masker, inJSON: isJSON))).utf8)"]
    case .multipart(let form):
      let body = "body" + suffix
      var lines = ["var \(body) = Data()"]
      for part in form.parts {
        let head = "--\(form.boundary)\r\n\(part.headerLines)\r\n"
        if let fileName = part.fileName {
          lines.append("\(body).append(Data(\(Self.literal(head)).utf8))")
          let path = try files.path(of: part.content, named: fileName)
          lines.append("\(body).append(try Data(contentsOf: URL(fileURLWithPath: \(Self.literal(path)))))")
          lines.append("\(body).append(Data(\"\\r\\n\".utf8))")
        } else {
          let isJSON = part.type?.hasPrefix("application/json") == true
          if isJSON, form.parts.count(where: { $0.fileName == nil }) == 1, let (values, bytes) = encoded(part.content) {
            lines += values
            lines.append("\(body).append(Data(\(Self.literal(head)).utf8))")
            lines.append("\(body).append(\(bytes))")
            lines.append("\(body).append(Data(\"\\r\\n\".utf8))")
            continue
          }
          let text = head + String(decoding: part.content, as: UTF8.self) + "\r\n"
          lines.append("\(body).append(Data((\(expression(text, masker, inJSON: isJSON))).utf8))")
        }
      }
      lines.append("\(body).append(Data(\(Self.literal("--\(form.boundary)--\r\n")).utf8))")
      return lines + ["\(name).httpBody = \(body)"]
    }
  }

  /// Returns a text as an expression, with secrets read from their variables.
  private func expression(_ text: String, _ masker: SecretRedactor, inJSON isJSON: Bool = false) -> String {
    let pieces = masker.pieces(of: text).map { piece in
      switch piece {
      case .text(let text): Self.literal(text)
      case .secret(let variable, .raw): isJSON ? "escaped(\(Self.name(of: variable)))" : Self.name(of: variable)
      case .secret(let variable, .json): "escaped(\(Self.name(of: variable)))"
      case .secret(_, .percent), .secret(_, .base64), .secret(_, .hex), .secret(_, .escaped): Self.literal(Secret.mask)
      }
    }
    return pieces.isEmpty ? "\"\"" : pieces.joined(separator: " + ")
  }

  /// Returns the name of a variable: `secret` for `OPENMARKET_SECRET`, and `key` for the token of a deletion.
  private static func name(of variable: String) -> String {
    if variable == Credentials.deletionTokenVariable { return "key" }
    let words = variable.lowercased().split(separator: "_")
    let rest = words.first == "openmarket" && words.count > 1 ? words.dropFirst() : words[...]
    return SwiftTypes.identifier(rest.enumerated().map { $0 == 0 ? String($1) : $1.capitalized }.joined())
  }

  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.isPrintable {
          result.unicodeScalars.append(scalar)
        } else {
          result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
      }
    }
    return result + "\""
  }
}

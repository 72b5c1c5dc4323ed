import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Text

/// Reads the file that describes a market, format 1 (see the article Markets).
///
/// Every key is checked, also those of the changes, and all faults are reported together.
package struct DescriptionReader {
  private static let format = 1
  /// The maximum size of a file in bytes.
  private static let limit = 1 << 20
  private static let idPlaceholder = [RequestPath.id]

  private let file: DescriptionFile

  /// Reads a file.
  ///
  /// - Throws: `FileError` for a file that can't be read, `DescriptionError` with its faults.
  package static func read(path: String) throws -> MarketDescription {
    guard let text = try Files.text(path, limit: limit) else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    return try read(text, named: URL(filePath: path).lastPathComponent)
  }

  /// Reads a file that another file states.
  ///
  /// - Throws: As for the path of a user.
  package static func read(_ file: ConfinedPath) throws -> MarketDescription {
    guard let text = try file.text(limit: limit) else { throw FileError.cannotRead(path: file.shown, errno: ENOENT) }
    return try read(text, named: URL(filePath: file.shown).lastPathComponent)
  }

  /// Reads the text of a file.
  ///
  /// - Throws: `DescriptionError` with all faults.
  package static func read(_ text: String, named name: String) throws(DescriptionError) -> MarketDescription {
    let document: TOMLDocument
    do {
      document = try TOMLDocument(parsing: text)
    } catch {
      let reason = error.reason
      throw DescriptionError(
        file: name,
        faults: [
          DescriptionFault(
            position: error.position,
            what: LocalizedText("This is not TOML.", ko: "TOML이 아닙니다."),
            reason: LocalizedText(reason.english + ".", ko: reason.korean + "."), nearest: nil)
        ])
    }
    let reader = DescriptionReader(file: DescriptionFile(document, named: name))
    let digest = FileDigest(of: Data(text.utf8))
    var description = reader.description(digest: "\(digest.size)-\(String(digest.hash, radix: 16))")
    let faults = reader.file.faults.sorted {
      ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
    }
    guard faults.isEmpty else { throw DescriptionError(file: name, faults: faults) }
    let mark = #/#\s*CHECK\b/#
    description.unchecked = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.contains(mark) }.map { $0.offset + 1 }
    return description
  }

  // MARK: Tables

  private func description(digest: String) -> MarketDescription {
    let root = file.root
    root.check(keys: [
      "format", "name", "base", "id", "ids", "keeps-writes", "concurrency", "headers", "auth", "list", "read", "create",
      "update", "delete", "fields", "errors", "serve",
    ])
    root.need("format")
    if let format = root.integer("format", in: 1...1_000), format != DescriptionReader.format {
      root.report(
        "format", LocalizedText("The format \(format) is not known.", ko: "형식 \(format, .topic) 알 수 없습니다."),
        LocalizedText("This program reads format 1.", ko: "이 프로그램은 형식 1을 읽습니다."))
    }
    var description = MarketDescription(
      name: name(root), file: file.name, digest: digest, id: id(root), list: list(root), read: read(root))
    if let base = root.requestPath("base", placeholders: []) { description.base = base }
    description.ids = root.choice("ids") ?? .any
    description.keepsWrites = root.flag("keeps-writes") ?? true
    description.concurrency = root.integer("concurrency", in: 1...8) ?? 2
    description.headers = headers(root, placeholders: [])
    description.authentication = authentication(root, description.list.page.kind)
    description.writes = writes(root)
    description.fields = fields(root)
    if let errors = root.table("errors") {
      errors.check(keys: ["message"])
      description.messages = errors.pointers("message")
    }
    if let table = root.table("serve") { description.serving = serving(table) }
    return description
  }

  private func name(_ root: DescriptionTable) -> String {
    root.need("name")
    guard let name = root.text("name") else { return "" }
    if Edition(rawValue: name) != nil {
      root.report(
        "name",
        LocalizedText("\(.value(name)) is the name of an edition.", ko: "\(.value(name), .topic) API 버전의 이름입니다."))
    } else if name.wholeMatch(of: #/[a-z][a-z0-9-]{0,30}/#) == nil {
      root.report(
        "name", LocalizedText("\(.value(name)) can't be a name.", ko: "\(.value(name), .topic) 이름으로 쓸 수 없습니다."),
        LocalizedText(
          "It is a lowercase letter and up to 30 more, digits or hyphens.",
          ko: "소문자로 시작하고 소문자, 숫자, 하이픈을 30자까지 더 씁니다."))
    }
    return name
  }

  private func id(_ root: DescriptionTable) -> JSONPointer {
    root.need("id")
    guard root.values["id"]?.table != nil, let table = root.table("id") else { return root.pointer("id") ?? .root }
    table.check(keys: ["at", "as"])
    table.need("at")
    if table.word("as", of: ["integer", "text"]) == "text" {
      table.report(
        "as", LocalizedText("Ids that are texts are not supported.", ko: "텍스트인 번호는 지원하지 않습니다."),
        LocalizedText("Products are named by whole numbers here.", ko: "상품은 정수로 된 번호로 가리킵니다."))
    }
    return table.pointer("at") ?? .root
  }

  private func headers(_ table: DescriptionTable, placeholders: [String]) -> [HeaderField] {
    table.pairs("headers", placeholders: placeholders).map { name, value in
      checkHeader(name, value, in: table, at: "headers")
      return HeaderField(name, value)
    }
  }

  /// The header fields that the file can't set: they frame the message, or carry credentials.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "cookie", "authorization",
    "proxy-authorization", "idempotency-key", "x-request-id",
  ]

  /// Returns whether a file can set a header field.
  package static func canSet(_ field: HeaderField) -> Bool {
    field.isValid && !reserved.contains(field.name.lowercased())
  }

  private func checkHeader(_ name: String, _ value: String, in table: DescriptionTable, at key: String) {
    guard !DescriptionReader.canSet(HeaderField(name, value)) else { return }
    table.report(
      key, LocalizedText("The header field \(.value(name)) can't be set.", ko: "\(.value(name)) 헤더는 정할 수 없습니다."),
      LocalizedText(
        "It is no header field, or it frames the message or carries credentials.",
        ko: "헤더가 아니거나, 메시지의 경계나 인증 정보를 나타내는 헤더입니다."))
  }

  private func authentication(_ root: DescriptionTable, _ paging: MarketDescription.PageRule.Kind)
    -> MarketDescription.Authentication
  {
    guard let table = root.table("auth") else { return .none }
    let kind = table.word("type", of: ["none", "http", "apiKey"])
    table.need("type")
    switch kind {
    case "http":
      table.check(keys: ["type", "scheme"])
      table.need("scheme")
      return table.word("scheme", of: ["basic", "bearer"]) == "basic" ? .basic : .bearer
    case "apiKey":
      table.check(keys: ["type", "in", "name", "prefix"])
      for key in ["in", "name"] { table.need(key) }
      let name = table.text("name") ?? "X"
      guard table.word("in", of: ["header", "query"]) == "query" else {
        let prefix = table.text("prefix") ?? ""
        // The standard field for credentials is one that a key may have.
        if name.lowercased() != "authorization" { checkHeader(name, prefix, in: table, at: "name") }
        return .header(name: name, prefix: prefix)
      }
      if paging == .link {
        table.report(
          "in", LocalizedText("A secret in the query can't follow links.", ko: "쿼리에 넣는 시크릿은 링크로 된 쪽에 쓸 수 없습니다."),
          LocalizedText("The URLs of the next pages come from the server.", ko: "다음 쪽의 주소는 서버가 정합니다."))
      }
      return .query(name: name)
    default:
      table.check(keys: ["type"])
      return .none
    }
  }

  private func query(_ table: DescriptionTable, placeholders: [String] = []) -> [QueryItem] {
    table.pairs("query", placeholders: placeholders).map { QueryItem($0.name, $0.value) }
  }

  private func list(_ root: DescriptionTable) -> MarketDescription.ListRule {
    var rule = MarketDescription.ListRule(path: .empty, recordsPosition: file.position(of: ["list", "records"]))
    guard let table = root.table("list") else {
      root.need("list")
      return rule
    }
    table.check(keys: ["path", "query", "records", "order", "search", "page"])
    table.need("path")
    rule.path = table.requestPath(placeholders: []) ?? .empty
    rule.query = query(table)
    rule.records = table.pointer("records") ?? .root
    rule.order = table.choice("order") ?? .unknown
    if let search = table.table("search") {
      search.check(keys: ["path", "parameter"])
      search.need("parameter")
      rule.search = MarketDescription.SearchRule(
        path: search.requestPath(placeholders: []), parameter: search.text("parameter") ?? "")
    }
    if let page = table.table("page") { rule.page = self.page(page) }
    return rule
  }

  private func page(_ table: DescriptionTable) -> MarketDescription.PageRule {
    var rule = MarketDescription.PageRule()
    table.need("type")
    let common = ["type", "limit", "size", "max-size", "total"]
    guard let kind: MarketDescription.PageRule.Kind = table.choice("type") else {
      table.check(keys: common + ["page", "first", "offset", "cursor", "next"])
      return rule
    }
    rule.kind = kind
    let needed: [String]
    switch kind {
    case .none:
      table.check(keys: ["type"])
      return rule
    case .page:
      table.check(keys: common + ["page", "first"])
      needed = ["page"]
    case .offset:
      table.check(keys: common + ["offset"])
      needed = ["offset", "limit"]
    case .cursor:
      table.check(keys: common + ["cursor", "next"])
      needed = ["cursor", "next"]
    case .link:
      table.check(keys: common + ["next"])
      needed = []
    }
    for key in needed { table.need(key) }
    rule.parameter = kind == .link ? nil : table.text(kind.rawValue)
    rule.limit = table.text("limit")
    rule.first = table.integer("first", in: 0...1) ?? 1
    rule.size = table.integer("size", in: 1...1000) ?? 20
    rule.maximumSize = table.integer("max-size", in: rule.size...10_000)
    rule.next = table.location("next") ?? (kind == .link ? .header("Link") : nil)
    rule.total = table.location("total")
    rule.nextPosition = file.position(of: table.path + ["next"])
    rule.totalPosition = file.position(of: table.path + ["total"])
    rule.limitPosition = file.position(of: table.path + ["limit"])
    return rule
  }

  private func read(_ root: DescriptionTable) -> MarketDescription.ReadRule {
    var rule = MarketDescription.ReadRule(path: .empty, position: file.position(of: ["read", "record"]))
    guard let table = root.table("read") else {
      root.need("read")
      return rule
    }
    table.check(keys: ["path", "query", "record", "gone"])
    rule.path = productPath(table)
    rule.query = query(table, placeholders: DescriptionReader.idPlaceholder)
    rule.record = table.pointer("record") ?? .root
    if table.has("gone") { rule.gone = gone(table) }
    return rule
  }

  /// Reads the path of a request for one product, and reports it if neither the path nor the query contains the id.
  ///
  /// Without the id, the request would be for all products.
  private func productPath(_ table: DescriptionTable, placeholders: [String] = idPlaceholder) -> RequestPath {
    table.need("path")
    let values = table.values["query"]?.table?.values.map { $0 } ?? []
    let isInQuery = values.contains { if case .string(let text) = $0 { text.contains(RequestPath.id) } else { false } }
    guard let path = table.requestPath(placeholders: placeholders) else { return .empty }
    if !isInQuery, !path.description.contains(RequestPath.id) {
      table.report(
        "path", LocalizedText("\(.value(RequestPath.id)) is missing.", ko: "\(.value(RequestPath.id), .subject) 없습니다."),
        LocalizedText(
          "Neither the path nor the query names the product.", ko: "경로와 쿼리 어느 쪽에도 상품 번호가 없습니다."))
    }
    return path
  }

  private func gone(_ table: DescriptionTable) -> [MarketDescription.GoneRule] {
    table.each("gone") { table, key in
      guard table.values[key]?.table != nil else {
        return table.integer(key, in: 200...499).map { MarketDescription.GoneRule(status: $0) }
      }
      guard let rule = table.table(key) else { return nil }
      rule.check(keys: ["status", "at", "is"])
      for needed in ["status", "is"] { rule.need(needed) }
      guard let status = rule.integer("status", in: 200...499), let text = rule.text("is") else { return nil }
      return MarketDescription.GoneRule(status: status, at: rule.pointer("at"), text: text)
    }
  }

  // MARK: Changes

  private func writes(_ root: DescriptionTable) -> [MarketDescription.WriteRule] {
    [
      write(
        root, "create", .create, methods: ["POST", "PUT"],
        keys: ["body", "record", "mark", "required", "values", "omit"]),
      write(
        root, "update", .edit, methods: ["PATCH", "PUT", "POST"],
        keys: ["body", "record", "semantics", "along", "precondition"]),
      write(root, "delete", .delete, methods: ["DELETE", "POST"], keys: ["precondition"]),
    ].compactMap(\.self)
  }

  /// Reads the table of a change.
  private func write(
    _ root: DescriptionTable, _ key: String, _ operation: MarketAPI.Operation, methods: [String], keys: [String]
  ) -> MarketDescription.WriteRule? {
    guard let table = root.table(key) else { return nil }
    table.check(keys: ["method", "path", "query", "headers"] + keys)
    let placeholders = [RequestPath.operation] + (operation == .create ? [] : [RequestPath.id])
    table.need("method")
    let method = table.word("method", of: methods).flatMap { RequestMethod(rawValue: $0) } ?? .post
    if operation == .create { table.need("path") }
    let path =
      operation == .create
      ? table.requestPath(placeholders: placeholders) ?? .empty : productPath(table, placeholders: placeholders)
    var rule = MarketDescription.WriteRule(operation: operation, method: method, path: path)
    rule.position = file.position(of: table.path)
    rule.query = query(table, placeholders: placeholders)
    rule.headers = headers(table, placeholders: [RequestPath.operation])
    rule.body = table.pointer("body") ?? .root
    rule.record = table.pointer("record") ?? .root
    rule.mark = table.pointer("mark")
    rule.along = table.pointers("along")
    rule.omitted = table.pointers("omit")
    rule.usesETag = table.word("precondition", of: ["etag"]) != nil
    _ = table.word("semantics", of: ["merge"])
    if let required = required(table) { rule.required = required }
    rule.values = members(table, "values", placeholders: [RequestPath.operation])
    return rule
  }

  /// Reads the fields that a new product must have, which always include the name.
  private func required(_ table: DescriptionTable) -> [ProductField]? {
    guard table.has("required") else { return nil }
    let known = ProductField.valuesAndImages
    let fields = table.each("required") { $0.word($1, of: known.map(\.rawValue)) }
      .compactMap { ProductField(rawValue: $0) }
    return known.filter { $0 == .name || fields.contains($0) }
  }

  /// Reads a table of members: of every new product, and of products that are served.
  func members(_ table: DescriptionTable, _ key: String, placeholders: [String]) -> [MarketDescription.ConstantMember] {
    constants(table, key, placeholders: placeholders) { JSONPointer($0) }
      .map { MarketDescription.ConstantMember(at: $0.place, value: $0.value) }
  }

  /// Reads a table of values by their places.
  func constants<Place>(
    _ table: DescriptionTable, _ key: String, placeholders: [String], place: (String) -> Place?
  ) -> [(place: Place, value: JSON)] {
    guard let members = table.table(key) else { return [] }
    return members.values.keys.sorted().compactMap { key in
      guard let place = place(key) else {
        file.report(
          LocalizedText("\(.value(key)) is no JSON pointer.", ko: "\(.value(key), .topic) JSON 포인터가 아닙니다."),
          at: members.path + [key], isName: true)
        return nil
      }
      guard let value = members.values[key].flatMap({ json($0, at: key, in: members, placeholders: placeholders) })
      else { return nil }
      return (place, value)
    }
  }

  private func json(_ value: TOML, at key: String, in table: DescriptionTable, placeholders: [String]) -> JSON? {
    switch value {
    case .string(let text):
      table.checkPlaceholders(key, in: text, placeholders)
      return .string(text)
    case .integer(let number): return .int(number)
    case .boolean(let flag): return .bool(flag)
    case .decimal(let text): return JSONNumber(text).map { .number($0) } ?? .string(text)
    case .array(let elements):
      return .array(elements.compactMap { json($0, at: key, in: table, placeholders: placeholders) })
    case .table(let members):
      return .object(
        members.keys.sorted().compactMap { name in
          members[name].flatMap { json($0, at: key, in: table, placeholders: placeholders) }.map { (name, $0) }
        })
    }
  }

  // MARK: Fields

  private func fields(_ root: DescriptionTable) -> [ProductField: MarketDescription.FieldRule] {
    guard let table = root.table("fields") else {
      root.need("fields")
      return [:]
    }
    let known = ProductField.allCases.filter { $0 != .id }
    table.check(keys: known.map(\.rawValue))
    table.need(ProductField.name.rawValue)
    var fields: [ProductField: MarketDescription.FieldRule] = [:]
    for field in known where table.has(field.rawValue) { fields[field] = rule(of: field, in: table) }
    return fields
  }

  private func rule(of field: ProductField, in table: DescriptionTable) -> MarketDescription.FieldRule? {
    let key = field.rawValue
    let position = file.position(of: table.path + [key])
    let notations = MarketDescription.Notation.valid(for: field)
    guard table.values[key]?.table != nil, let rule = table.table(key) else {
      return table.pointer(key).map { MarketDescription.FieldRule(at: $0, notation: notations[0], position: position) }
    }
    rule.check(keys: ["at", "as", "writable", "in-list", "each", "constant", "digits", "remove"])
    let notation = rule.word("as", of: notations.map(\.rawValue)).flatMap { MarketDescription.Notation(rawValue: $0) }
    var result = MarketDescription.FieldRule(
      at: rule.pointer("at") ?? .root, notation: notation ?? notations[0],
      position: file.position(of: rule.path + ["at"]))
    result.each = rule.pointer("each")
    result.isInList = rule.flag("in-list") ?? true
    result.isWritable = rule.flag("writable") ?? true
    result.digits = rule.integer("digits", in: 0...6) ?? 2
    result.removal = rule.text("remove")
    if rule.has("constant") {
      if notations[0] != .text || rule.has("at") {
        rule.report(
          "constant",
          LocalizedText("\(.field(key)) can't be a constant here.", ko: "\(.field(key)) 값은 여기서 상수일 수 없습니다."),
          LocalizedText(
            "A constant is the text of a field that has no \(.field("at")).",
            ko: "상수는 \(.field("at")) 없는 필드의 텍스트입니다."))
      }
      result.constant = rule.text("constant")
      result.isWritable = false
    } else {
      rule.need("at")
    }
    return result
  }
}

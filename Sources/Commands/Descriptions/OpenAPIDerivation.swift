import Catalog
import MarketAPI
import Networking
import Platform
import ShellRuntime
import Text

/// Derives a description of a market from an OpenAPI document.
struct OpenAPIDerivation {
  private let document: OpenAPIDocument

  /// The list of products that was found, with the requests for one product.
  private struct Resource {
    var list: OpenAPIDocument.Operation
    var read: OpenAPIDocument.Operation
    var guess: ListGuess?
    var record: RecordGuess?
    var envelope = ValueShape()
    var id: JSONPointer
    /// A Boolean value that indicates that the product has a member that is called like its id.
    var hasID: Bool
    var fields: FieldGuesses
    var writes: Writes
  }

  /// The requests that change a product.
  private struct Writes {
    var create: OpenAPIDocument.Operation?
    var patch: OpenAPIDocument.Operation?
    var put: OpenAPIDocument.Operation?
    var post: OpenAPIDocument.Operation?
    var delete: OpenAPIDocument.Operation?

    var all: [OpenAPIDocument.Operation] { [create, patch, delete].compactMap(\.self) }
  }

  private init(_ document: OpenAPIDocument) { self.document = document }

  /// Returns the text of a description.
  ///
  /// - Throws: `CommandError` for a document without a list of products that can be described.
  static func text(of document: JSON) throws(CommandError) -> LocalizedText {
    let derivation = OpenAPIDerivation(try OpenAPIDocument(document))
    let (resource, others) = try derivation.resource()
    return derivation.text(of: resource, others: others)
  }

  // MARK: The list

  /// The number of lists whose schemas are read.
  private static let maximumLists = 40

  /// Returns the rank of a path among those of lists of products: 3 for a name that says nothing.
  private static func rank(_ template: String) -> Int {
    let name = (template.split(separator: "/").last.map(String.init) ?? "").synonymKey
    if ["products", "product"].contains(name) { return 0 }
    if name.contains("product") || name.contains("상품") { return 1 }
    return ["items", "item", "goods", "catalog", "catalogue", "skus", "articles"].contains(name) ? 2 : 3
  }

  private static func itemTemplate(of template: String) -> String { (template == "/" ? "" : template) + "/{}" }

  /// Returns the path of a request for one product, in which the parameter is the id, or `nil` if a description can't have it.
  private static func path(_ text: String) -> RequestPath? {
    var path = text
    if let range = braces(in: text) { path.replaceSubrange(range, with: RequestPath.id) }
    let hasOneParameter = text.count { $0 == "{" } <= 1
    return !hasOneParameter || RequestPath.hasBraces(in: path, besides: [RequestPath.id]) ? nil : RequestPath(path)
  }

  /// Returns the place of the first parameter in a path, its braces included.
  private static func braces(in path: String) -> Range<String.Index>? {
    guard let start = path.firstIndex(of: "{"), let end = path[start...].firstIndex(of: "}") else { return nil }
    return start..<path.index(after: end)
  }

  /// Returns the best list of products, with the paths of others.
  private func resource() throws(CommandError) -> (Resource, others: [String]) {
    let lists = document.paths.enumerated().filter { _, path in
      !path.template.contains("{") && OpenAPIDerivation.path(path.text) != nil
        && document.operation(.get, of: path) != nil
    }
    let ranked = lists.map { index, path in
      (
        order: [OpenAPIDerivation.rank(path.template), path.template.count { $0 == "/" }, index], path: path
      )
    }.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    var found: [(order: [Int], resource: Resource)] = []
    var failure: CommandError?
    var count = 0
    for (order, path) in ranked {
      let template = OpenAPIDerivation.itemTemplate(of: path.template)
      guard let list = document.operation(.get, of: path), let read = document.operation(.get, template: template),
        OpenAPIDerivation.path(read.path.text) != nil
      else { continue }
      count += 1
      guard count <= OpenAPIDerivation.maximumLists else { break }
      do throws(CommandError) {
        let resource = try self.resource(list: list, read: read, template: template)
        let hasPrice = resource.fields.fields[.price] != nil
        // A path whose name says nothing is one of products if it has prices.
        guard order[0] < 3 || hasPrice && resource.hasID else { continue }
        found.append(([hasPrice ? 0 : 1, order[0], -resource.writes.all.count] + order.dropFirst(), resource))
      } catch {
        if order[0] < 3 { failure = failure ?? error }
      }
    }
    found.sort { $0.order.lexicographicallyPrecedes($1.order) }
    if let best = found.first { return (best.resource, found.dropFirst().map { $0.resource.list.path.text }) }
    throw failure
      ?? .underivable(
        LocalizedText("The document has no list of products.", ko: "문서에 상품 목록이 없습니다."),
        LocalizedText(
          "A list is a path with GET, beside one that ends with an id: \(.value("/products")) and \(.value("/products/{id}")).",
          ko: "목록은 GET이 있는 경로이고, 번호로 끝나는 경로가 곁에 있습니다: \(.value("/products")), \(.value("/products/{id}"))."),
        next: OpenAPIDerivation.saveResponses)
  }

  private static let saveResponses = LocalizedText(
    "Save two responses with \(.command("get /products to page.json")) and \(.command("get /products/1 to product.json")), then run \(.command("api from page.json product.json")).",
    ko:
      "\(.command("get /products to page.json")), \(.command("get /products/1 to product.json"), .toward) 응답을 저장한 뒤 \(.command("api from page.json product.json"), .object) 실행하세요."
  )

  private func resource(
    list: OpenAPIDocument.Operation, read: OpenAPIDocument.Operation, template: String
  ) throws(CommandError) -> Resource {
    let path = list.path.text
    let writes = Writes(
      create: document.operation(.post, template: list.path.template),
      patch: document.operation(.patch, template: template), put: document.operation(.put, template: template),
      post: document.operation(.post, template: template), delete: document.operation(.delete, template: template))
    let page = document.response(of: list, OpenAPIDocument.successes)
    let one = document.response(of: read, OpenAPIDocument.successes)
    for case let type? in [page?.type, one?.type] where !OpenAPIDocument.isJSON(type) {
      throw .underivable(
        LocalizedText("The response to \(.foreign(path)) is not JSON.", ko: "\(.foreign(path)) 응답이 JSON이 아닙니다."),
        LocalizedText("The document says \(.foreign(type)).", ko: "문서에 적힌 형식: \(.foreign(type))."))
    }
    let guess = page.flatMap { ListGuess(in: $0.shape) }
    let record = one.map { RecordGuess(in: $0.shape) }.flatMap { $0.shape.members.isEmpty ? nil : $0 }
    var product = record?.shape
    if guess == nil, record == nil {
      // Without a schema of responses, a product is what is sent.
      let bodies = [writes.create, writes.patch, writes.put].lazy.compactMap { $0 }.compactMap(document.request(of:))
      product = bodies.map { RecordGuess(in: $0.shape, isRequest: true).shape }.first { !$0.members.isEmpty }
    }
    guard let model = product ?? guess?.row else {
      throw .underivable(
        LocalizedText(
          "The document does not say what a product of \(.foreign(path)) looks like.",
          ko: "\(.foreign(path)) 상품의 모양이 문서에 없습니다."),
        LocalizedText("It has no schema and no example.", ko: "스키마도 예시도 없습니다."), next: OpenAPIDerivation.saveResponses)
    }
    let parameter = OpenAPIDerivation.parameter(of: read.path.text)
    let row = guess?.row ?? ValueShape()
    let id = IDGuess(of: row, parameter: parameter) ?? IDGuess(of: model, parameter: parameter)
    try id?.check()
    if id == nil { try checkParameter(of: read, parameter) }
    let fields = FieldGuesses(row: row, product: product)
    guard fields.fields[.name] != nil else {
      throw .underivable(
        LocalizedText(
          "The products of \(.foreign(path)) have no name that is known.", ko: "\(.foreign(path)) 상품에서 이름을 찾지 못했습니다."),
        model.memberNames, next: OpenAPIDerivation.saveResponses)
    }
    return Resource(
      list: list, read: read, guess: guess, record: record, envelope: page?.shape ?? ValueShape(),
      id: id?.pointer ?? JSONPointer.root.appending("id"), hasID: id != nil, fields: fields, writes: writes)
  }

  private static func parameter(of path: String) -> String? {
    braces(in: path).map { String(path[$0].dropFirst().dropLast()) }
  }

  /// - Throws: `CommandError` if the parameter for the id is a UUID.
  private func checkParameter(of read: OpenAPIDocument.Operation, _ name: String?) throws(CommandError) {
    let parameter = document.parameters(of: read).first { $0.place == "path" && $0.name == name }
    guard parameter?.schema["format"] == .string("uuid") else { return }
    throw .underivable(
      LocalizedText(
        "The ids are not whole numbers: \(.foreign(name ?? "")).", ko: "번호가 정수가 아닙니다: \(.foreign(name ?? ""))."),
      LocalizedText("Ids that are texts are not supported.", ko: "텍스트인 번호는 지원하지 않습니다."))
  }
}

// MARK: Text
extension OpenAPIDerivation {
  private func text(of resource: Resource, others: [String]) -> LocalizedText {
    var resource = resource
    let bodies = [resource.writes.create, resource.writes.patch].compactMap { $0.flatMap(document.request(of:)) }
      .map { RecordGuess(in: $0.shape, isRequest: true).shape }
    resource.fields.setWritable(in: bodies)
    var draft = DescriptionDraft()
    let scheme =
      (resource.writes.all + [resource.list, resource.read]).lazy.compactMap { document.scheme(of: $0) }.first
    var page = PageGuess(
      document.parameters(of: resource.list),
      ShapePlace.all(in: resource.envelope, outside: resource.guess?.records ?? .root),
      headers: document.responseHeaders(of: resource.list))
    if page.kind == .link, scheme?["in"] == .string("query") {
      page = PageGuess(
        reason: LocalizedText(
          "the pages are linked, and a secret in the query can't follow links",
          ko: "쪽이 링크로 이어지는데, 쿼리에 넣는 시크릿은 링크에 쓸 수 없음"
        ))
    }
    head(resource, &draft)
    authentication(scheme, &draft)
    list(resource, others: others, &draft)
    page.add(to: &draft)
    read(resource, &draft)
    create(resource, &draft)
    update(resource, &draft)
    delete(resource, &draft)
    draft.addFields(resource.fields, id: resource.id, model: resource.record?.shape ?? resource.guess?.row)
    errors(resource, &draft)
    return draft.text
  }

  private func head(_ resource: Resource, _ draft: inout DescriptionDraft) {
    let title = document.root["info"]?.object?["title"]?.string ?? ""
    let kind = document.isSwagger ? "Swagger" : "OpenAPI"
    let version = String(document.version.prefix(20))
    draft.addHead(
      LocalizedText(
        "Derived from a document of \(kind) \(version), \(DescriptionDraft.cited(title)).",
        ko: "\(kind) \(version) 문서 \(DescriptionDraft.cited(title))에서 추측한 설명입니다."))
    draft.set("format", "1")
    let name = DescriptionDraft.name(of: title)
    draft.set(
      "name", TOML.quoted(name ?? "shop"),
      because: name == nil
        ? LocalizedText("any word", ko: "아무 단어") : LocalizedText("the title of the document", ko: "문서의 제목"))
    base(&draft)
    draft.set(
      "id", DescriptionDraft.literal(resource.id),
      because: resource.hasID
        ? LocalizedText("a whole number", ko: "정수") : LocalizedText("the document doesn't name it", ko: "문서에 없음"))
    draft.addIDs()
  }

  /// Adds the path between the URL of a profile and the paths of the document.
  private func base(_ draft: inout DescriptionDraft) {
    var address: String
    if document.isSwagger {
      let host = document.root["host"]?.string ?? ""
      address = document.root["basePath"]?.string ?? ""
      if !host.isEmpty { address = "https://" + host + (address.hasPrefix("/") ? "" : "/") + address }
    } else {
      address = document.root["servers"]?.array?.first?.object?["url"]?.string ?? ""
    }
    let server = DocumentServer(address)
    if let hint = server.hint {
      draft.note(
        LocalizedText("The url of the profile is probably \(hint).", ko: "프로필에 쓸 url은 아마 다음과 같습니다: \(hint)"))
    }
    guard let base = server.base else { return }
    draft.set(
      "base", TOML.quoted(base.description),
      because: LocalizedText("the path of the server in the document", ko: "문서에 적힌 서버의 경로"))
  }

  private func authentication(_ scheme: JSONObject?, _ draft: inout DescriptionDraft) {
    func text(_ key: String) -> String { scheme?[key]?.string ?? "" }
    draft.table("auth")
    let (kind, place, name) = (text("type"), text("in"), text("name"))
    let word = kind == "basic" ? "basic" : text("scheme").lowercased()
    let isAuthorization = name.lowercased() == "authorization"
    let canBeKey =
      place == "query" ? !name.isEmpty : isAuthorization || DescriptionReader.canSet(HeaderField(name, ""))
    switch kind {
    case "http" where ["basic", "bearer"].contains(word), "basic":
      draft.set("type", "\"http\"")
      draft.set("scheme", TOML.quoted(word))
    case "oauth2", "openIdConnect":
      draft.set("type", "\"http\"")
      draft.set(
        "scheme", "\"bearer\"",
        because: LocalizedText(
          "OAuth 2: a token that login asks for, or secret_command", ko: "OAuth 2: login이 묻는 토큰, 또는 secret_command"))
    case "apiKey" where ["header", "query"].contains(place) && canBeKey:
      draft.set("type", "\"apiKey\"")
      draft.set("in", TOML.quoted(place))
      draft.set("name", TOML.quoted(name))
      guard place == "header", isAuthorization else { break }
      draft.suggest(
        "prefix = \"Token \"", because: LocalizedText("if a word stands before the secret", ko: "시크릿 앞에 단어가 있으면"))
    default:
      draft.set(
        "type", "\"none\"",
        because: scheme == nil
          ? LocalizedText("the document names no scheme", ko: "문서에 인증 방식이 없음")
          : LocalizedText("the scheme of the document isn't supported", ko: "문서의 인증 방식은 지원하지 않음"))
    }
  }

  private func list(_ resource: Resource, others: [String], _ draft: inout DescriptionDraft) {
    draft.table("list")
    let list = others.prefix(4).map { DescriptionDraft.cited($0) }.joined(separator: ", ")
    draft.set(
      "path", TOML.quoted(resource.list.path.text),
      because: others.isEmpty
        ? LocalizedText("GET, beside a path with an id", ko: "번호가 있는 경로 곁의 GET")
        : LocalizedText("also found: \(list)", ko: "다른 후보: \(list)"))
    let parameters = document.parameters(of: resource.list)
    let orders = ["sort", "sortby", "order", "orderby", "ordering"]
    let ordering = parameters.first { $0.place == "query" && orders.contains($0.name.synonymKey) }
    query(of: parameters, &draft)
    if let guess = resource.guess {
      draft.set("records", DescriptionDraft.literal(guess.records), because: guess.reason)
    } else {
      draft.set(
        "records", "\"\"", because: LocalizedText("the document doesn't say where the list is", ko: "목록의 위치가 문서에 없음"))
    }
    draft.suggest(
      "order = \"newest-first\"",
      because: ordering.map {
        let name = DescriptionDraft.cited($0.name)
        return LocalizedText("or set it with the parameter \(name) in query", ko: "또는 query에 매개변수 \(name)")
      } ?? LocalizedText("or oldest-first; the document doesn't say it", ko: "또는 oldest-first; 문서에 없음"))
    let below = (resource.list.path.template == "/" ? "" : resource.list.path.template) + "/search"
    if let search = PageGuess.search(parameters) {
      draft.set("search", DescriptionDraft.literal([("parameter", TOML.quoted(search))]))
    } else if let operation = document.operation(.get, template: below),
      let search = PageGuess.search(document.parameters(of: operation)), let path = RequestPath(operation.path.text)
    {
      draft.set(
        "search",
        DescriptionDraft.literal([("path", TOML.quoted(path.description)), ("parameter", TOML.quoted(search))]))
    }
  }

  /// Suggests the parameters that a request must have.
  private func query(of parameters: [OpenAPIDocument.RequestParameter], _ draft: inout DescriptionDraft) {
    let required = parameters.filter { $0.place == "query" && $0.isRequired }.prefix(8)
    guard !required.isEmpty else { return }
    let line = "query = " + DescriptionDraft.literal(required.map { (TOML.key($0.name), "\"…\"") })
    draft.suggest(line, because: LocalizedText("the document requires it", ko: "문서에서 필수"))
  }

  private func read(_ resource: Resource, _ draft: inout DescriptionDraft) {
    draft.table("read")
    draft.set("path", OpenAPIDerivation.literal(resource.read))
    query(of: document.parameters(of: resource.read), &draft)
    draft.suggestGone()
    if let record = resource.record {
      if record.pointer != .root { draft.set("record", DescriptionDraft.literal(record.pointer)) }
    } else {
      draft.note(
        LocalizedText(
          "The document has no schema of this response: if the product is inside of it, write record = \"/data\".",
          ko: "이 응답의 스키마가 문서에 없습니다. 상품이 안쪽에 있으면 record = \"/data\"처럼 쓰세요."))
    }
  }

  private static func literal(_ operation: OpenAPIDocument.Operation) -> String {
    TOML.quoted(path(operation.path.text)?.description ?? RequestPath.id)
  }
}

// MARK: Changes
extension OpenAPIDerivation {
  /// Returns the body of a change, or leaves the table out with its reason.
  private func body(
    of operation: OpenAPIDocument.Operation, table: String, _ draft: inout DescriptionDraft
  ) -> OpenAPIDocument.BodyShape? {
    let body = document.request(of: operation)
    guard let type = body?.type, !OpenAPIDocument.isJSON(type) else {
      return body ?? OpenAPIDocument.BodyShape(type: nil, shape: ValueShape())
    }
    draft.blank()
    let cited = DescriptionDraft.cited(type)
    draft.note(
      LocalizedText(
        "[\(table)] is left out: the request is \(cited), and only JSON is sent.",
        ko: "[\(table)] 표는 뺐습니다. 요청의 형식이 \(cited)인데, JSON만 보낼 수 있습니다."))
    return nil
  }

  private static func absent(_ table: String, _ draft: inout DescriptionDraft) {
    draft.blank()
    draft.note(
      LocalizedText(
        "[\(table)] is left out: the document has no such request.", ko: "[\(table)] 표는 뺐습니다. 문서에 그런 요청이 없습니다."))
  }

  private func create(_ resource: Resource, _ draft: inout DescriptionDraft) {
    guard let operation = resource.writes.create, RequestPath(operation.path.text) != nil else {
      return OpenAPIDerivation.absent("create", &draft)
    }
    guard let body = body(of: operation, table: "create", &draft) else { return }
    let sent = RecordGuess(in: body.shape, isRequest: true)
    draft.table("create")
    draft.set("method", "\"POST\"")
    draft.set("path", TOML.quoted(operation.path.text))
    if sent.pointer != .root { draft.set("body", DescriptionDraft.literal(sent.pointer)) }
    record(of: operation, &draft)
    let writable = resource.fields.fields.filter { $0.value.isWritable }
    let required = ProductField.valuesAndImages.filter { field in
      writable[field].map { sent.shape.requires($0.pointer) } ?? false
    }
    if required.contains(where: { $0 != .name }) {
      draft.set(
        "required", "[" + required.map { TOML.quoted($0.rawValue) }.joined(separator: ", ") + "]",
        because: LocalizedText("required by the document", ko: "문서에서 필수"))
    }
    suggestValues(sent.shape, fields: resource.fields, &draft)
    let marks = [
      "sku", "upc", "externalid", "externalreference", "reference", "ref", "code", "slug", "handle", "barcode",
    ]
    if let mark = sent.shape.members.first(where: { marks.contains($0.name.synonymKey) && $0.shape.canBeText }) {
      draft.suggest(
        "mark = " + DescriptionDraft.literal(JSONPointer.root.appending(mark.name)),
        because: LocalizedText(
          "if it is unique and any text: a lost create is found by it", ko: "고유한 자유 텍스트라면 잃은 등록을 찾음"))
    }
    let given = (resource.record?.shape ?? ValueShape()).members.map(\.name).filter { name in
      sent.shape[name].map(\.isReadOnly) ?? true
    }.map { JSONPointer.root.appending($0) }
    let omitted = given.filter { pointer in
      pointer != resource.id && !resource.fields.fields.values.contains { $0.pointer == pointer }
    }
    if !sent.shape.members.isEmpty, !omitted.isEmpty, omitted.count <= 40 {
      draft.set(
        "omit", DescriptionDraft.literal(omitted),
        because: LocalizedText("not in the body of this request", ko: "이 요청의 본문에 없음"))
    }
  }

  /// Suggests values for the members that a new product must have and that are no fields.
  private func suggestValues(_ shape: ValueShape, fields: FieldGuesses, _ draft: inout DescriptionDraft) {
    let members = shape.members.filter { member in
      let pointer = JSONPointer.root.appending(member.name)
      return member.isRequired && !member.shape.isReadOnly
        && !fields.fields.values.contains { $0.pointer.isBelow(pointer) }
    }.prefix(8)
    let pointers = members.map { JSONPointer.root.appending($0.name) } + OpenAPIDerivation.along(shape, fields)
    guard !pointers.isEmpty else { return }
    let values = pointers.map { pointer -> (String, String) in
      let value =
        switch shape.shape(at: pointer)?.kinds {
        case [.integer], [.number], [.integer, .number]: "0"
        case [.boolean]: "true"
        case [.array]: "[]"
        default: "\"…\""
        }
      return (TOML.quoted(pointer.description), value)
    }
    draft.suggest(
      "values = " + DescriptionDraft.literal(values),
      because: LocalizedText("required by the document, and no fields", ko: "문서에서 필수이지만 필드가 아님"))
  }

  private func record(of operation: OpenAPIDocument.Operation, _ draft: inout DescriptionDraft) {
    guard let body = document.response(of: operation, ["201", "200", "202", "2XX", "2xx"]) else { return }
    let record = RecordGuess(in: body.shape)
    if record.pointer != .root { draft.set("record", DescriptionDraft.literal(record.pointer)) }
  }

  private func update(_ resource: Resource, _ draft: inout DescriptionDraft) {
    guard let operation = resource.writes.patch, OpenAPIDerivation.path(operation.path.text) != nil else {
      guard let other = resource.writes.put ?? resource.writes.post,
        OpenAPIDerivation.path(other.path.text) != nil
      else { return OpenAPIDerivation.absent("update", &draft) }
      draft.blank()
      draft.note(
        LocalizedText(
          "[update] is left out: the document has \(other.method.rawValue) and no PATCH, and may mean that the whole product is sent. Only what changes is sent here. If the server keeps what is not sent, use these lines:",
          ko:
            "[update] 표는 뺐습니다. 문서에 PATCH가 없고 \(other.method.rawValue)만 있어 상품 전체를 보내라는 뜻일 수 있습니다. 여기서는 바뀌는 값만 보냅니다. 보내지 않은 값을 서버가 그대로 둔다면 다음 줄을 쓰세요."
        ))
      draft.suggest("[update]")
      draft.suggest("method = \"\(other.method.rawValue)\"")
      draft.suggest("path = " + OpenAPIDerivation.literal(other))
      draft.suggest("semantics = \"merge\"")
      return
    }
    guard let body = body(of: operation, table: "update", &draft) else { return }
    let sent = RecordGuess(in: body.shape, isRequest: true)
    draft.table("update")
    draft.set("method", "\"PATCH\"")
    draft.set("path", OpenAPIDerivation.literal(operation))
    if sent.pointer != .root { draft.set("body", DescriptionDraft.literal(sent.pointer)) }
    record(of: operation, &draft)
    draft.set(
      "semantics", "\"merge\"",
      because: LocalizedText(
        "PATCH changes what is sent (RFC 5789); contract writes looks",
        ko: "PATCH는 보낸 값만 바꿈(RFC 5789); contract writes가 확인"))
    let along = OpenAPIDerivation.along(sent.shape, resource.fields)
    if !along.isEmpty {
      draft.set(
        "along", DescriptionDraft.literal(along), because: LocalizedText("required beside a field", ko: "필드 곁의 필수 멤버"))
    }
  }

  /// Returns the members that an element of an array must have in addition to the fields in it.
  private static func along(_ body: ValueShape, _ fields: FieldGuesses) -> [JSONPointer] {
    let written = fields.fields.values.filter { $0.isWritable && !$0.pointer.arrays.isEmpty }.map(\.pointer)
    let containers = Set(written.compactMap(\.container)).sorted { $0.description < $1.description }
    return containers.flatMap { container in
      (body.shape(at: container)?.members ?? []).filter { $0.isRequired && !$0.shape.isReadOnly }
        .map { container.appending($0.name) }.filter { pointer in
          !fields.fields.values.contains { $0.pointer == pointer }
        }
    }
  }

  private func delete(_ resource: Resource, _ draft: inout DescriptionDraft) {
    guard let operation = resource.writes.delete, OpenAPIDerivation.path(operation.path.text) != nil else {
      return OpenAPIDerivation.absent("delete", &draft)
    }
    draft.table("delete")
    draft.set("method", "\"DELETE\"")
    draft.set("path", OpenAPIDerivation.literal(operation))
  }

  private func errors(_ resource: Resource, _ draft: inout DescriptionDraft) {
    let statuses = ["404", "400", "422", "401", "4XX", "4xx", "default"]
    let operations = [resource.read, resource.writes.create, resource.list].compactMap(\.self)
    let bodies = operations.lazy.compactMap { document.response(of: $0, statuses) }
    let names = ["message", "detail", "error", "msg", "title", "errordescription", "메시지"]
    let found = bodies.compactMap { body -> JSONPointer? in
      ShapePlace.all(in: body.shape).filter { $0.shape.kinds == [.text] }.compactMap { place in
        names.rank(of: place.pointer.tokens.last ?? "").map { ([place.pointer.tokens.count, $0], place.pointer) }
      }.min { $0.0.lexicographicallyPrecedes($1.0) }?.1
    }.first
    guard let found else { return draft.suggestErrors() }
    draft.table("errors")
    draft.set("message", DescriptionDraft.literal(found))
  }
}

/// The address of a server in a document: what belongs to the URL of a profile, and the path after it.
struct DocumentServer {
  /// The URL that a profile probably has, or `nil` if the document names no host.
  private(set) var hint: String?
  /// The path after it, or `nil` if it is empty or can't be one of a description.
  private(set) var base: RequestPath?

  init(_ address: String) {
    var rest = address.prefix(500)
    var origin = ""
    if let scheme = rest.firstRange(of: "://") {
      let name = rest[..<scheme.lowerBound].lowercased()
      let authority = rest[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      rest = rest[scheme.upperBound...].dropFirst(authority.count)
      // Without the name and password before the host.
      let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
      let isPlain = host.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "-._:{}".utf8.contains(byte)
      }
      if ["http", "https"].contains(name), isPlain, !host.isEmpty { origin = name + "://" + host }
    }
    var segments = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map(String.init)
    if segments.first == "." { segments.removeFirst() }
    // A part with a variable belongs to the URL.
    let start = segments.lastIndex { $0.contains("{") }.map { $0 + 1 } ?? 0
    let outer = segments[..<start].joined(separator: "/")
    if !origin.isEmpty { hint = DescriptionDraft.cited(outer.isEmpty ? origin : origin + "/" + outer) }
    let path = segments[start...]
    if !path.isEmpty, let base = RequestPath("/" + path.joined(separator: "/")),
      !path.contains(where: { $0.contains("}") })
    {
      self.base = base
    }
  }
}

extension ValueShape {
  /// Returns whether an object must have a member, and each object around it.
  fileprivate func requires(_ pointer: JSONPointer) -> Bool {
    var shape = self
    for token in pointer.tokens {
      if token == "0", let element = shape.element {
        shape = element
        continue
      }
      guard let member = shape.members.first(where: { $0.name == token }), member.isRequired else { return false }
      shape = member.shape
    }
    return true
  }
}

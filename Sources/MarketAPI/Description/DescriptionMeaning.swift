import Catalog
import Networking

extension MarketDescription {
  /// The meaning of products and changes here, which the log stores with each write.
  ///
  /// It has neither lines nor comments of the file: an edit that changes no meaning doesn't change it.
  package var mapping: DescriptionMapping {
    var parts: [String: String] = [:]
    for (field, rule) in fields { parts[field.rawValue] = rule.meaning }
    func add(_ part: DescriptionMapping.Part, _ text: String?) { parts[part.rawValue] = text }
    add(.id, id.description)
    add(.mark, write(.create)?.mark?.description)
    let gone = read.gone.map { ("gone", "\($0.status) \($0.at?.description ?? "-") \($0.text ?? "-")") }
    let facts = [("record", read.record.description)] + gone
    add(.read, words("GET", path: base.appending(read.path), query: read.query, facts: facts))
    add(.create, write(.create).map(meaning))
    add(.update, write(.edit).map(meaning))
    add(.delete, write(.delete).map(meaning))
    return DescriptionMapping(file: file, digest: digest, parts: parts)
  }

  private func meaning(of rule: WriteRule) -> String {
    words(
      rule.method.rawValue, path: base.appending(rule.path), query: rule.query,
      facts: rule.headers.map { ("header", "\($0.name): \($0.value)") }
        + [("body", rule.body.description), ("record", rule.record.description)]
        + rule.along.map { ("along", $0.description) }
        + (rule.usesETag ? [("precondition", "etag")] : [])
        + rule.values.map { ("value", "\($0.at) \($0.value.serialized)") }
        + rule.omitted.map { ("omit", $0.description) })
  }

  /// Returns a request and further facts as one text, in which every value is quoted.
  private func words(
    _ method: String, path: RequestPath, query: [QueryItem], facts: [(name: String, value: String)]
  ) -> String {
    let all = [("path", path.description)] + query.map { ("query", "\($0.name)=\($0.value)") } + facts
    return method + all.map { " \($0.0)=\(String(reflecting: $0.1))" }.joined()
  }
}

extension MarketDescription.FieldRule {
  /// The place and the notation of the field as one text.
  fileprivate var meaning: String {
    let place = constant.map { "constant=" + String(reflecting: $0) } ?? String(reflecting: at.description)
    var words = [place, "as=" + notation.rawValue]
    if let each { words.append("each=" + String(reflecting: each.description)) }
    if notation == .minorUnits || notation == .percentOfPrice { words.append("digits=\(digits)") }
    if let removal { words.append("remove=" + String(reflecting: removal)) }
    if !isWritable { words.append("read-only") }
    return words.joined(separator: " ")
  }
}

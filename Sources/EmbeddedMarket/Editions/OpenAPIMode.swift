/// The options of a server that change what its OpenAPI document says.
struct OpenAPIMode: Hashable, Sendable {
  /// The documented limits are enforced (`--strict`).
  var isStrict = false
  /// The faults of the real servers are reproduced (`--quirks`).
  var hasQuirks = false

  init(isStrict: Bool = false, hasQuirks: Bool = false) {
    self.isStrict = isStrict
    self.hasQuirks = hasQuirks
  }

  init(_ server: ServerDependencies) {
    self.init(isStrict: server.rules.strict, hasQuirks: server.quirks.isOn)
  }

  /// The words of the description.
  var description: String {
    let strict = "The documented limits are enforced (--strict)."
    let quirks = "The faults on record of the real server are reproduced (--quirks)."
    return [isStrict ? strict : "", hasQuirks ? quirks : ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

import Language

/// Whether a command that reads must have answers before it knows all its requests: a scan, several products, a last page.
struct Foresight {
  private let invocation: Invocation
  private let traits: Declaration.Traits

  init(_ invocation: Invocation, _ traits: Declaration.Traits) {
    self.invocation = invocation
    self.traits = traits
  }

  var needsAnswers: Bool {
    if ["all", "where", "sort", "limit"].contains(where: invocation.has) { return true }
    if traits.contains(.needsAnswers) { return true }
    if traits.contains(.findsPlaces) {
      return invocation.all("PLACE").contains { Double($0) == nil } || !invocation.has("PLACE")
    }
    return (invocation.all("TARGET") + invocation.all("TARGETS")).contains { target in
      target == "mine" || target == "@all" || target.hasPrefix("where ") || target.contains { ",-".contains($0) }
    }
  }
}

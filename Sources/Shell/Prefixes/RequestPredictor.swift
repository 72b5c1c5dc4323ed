import CommandLanguage

/// Predicts whether a reading command needs responses to determine all its requests: a scan, several products, a last
/// page.
struct RequestPredictor {
  private let invocation: ParsedCommand
  private let traits: CommandDeclaration.Traits

  init(_ invocation: ParsedCommand, _ traits: CommandDeclaration.Traits) {
    self.invocation = invocation
    self.traits = traits
  }

  var needsAnswers: Bool {
    if ["all", "where", "mine", "sort", "limit", "named"].contains(where: invocation.has) { return true }
    if traits.contains(.requiresFullScan) { return true }
    if traits.contains(.resolvesPlaces) {
      return invocation.all("PLACE").contains { Double($0) == nil } || !invocation.has("PLACE")
    }
    return (invocation.all("TARGET") + invocation.all("TARGETS")).contains { target in
      target == "mine" || target == "@all" || target.hasPrefix("where ") || target.contains { ",-".contains($0) }
    }
  }
}

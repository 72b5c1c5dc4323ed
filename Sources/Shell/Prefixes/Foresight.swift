import Language

/// Whether a command that reads must have answers before it knows all its requests: a scan, several products, a last page.
struct Foresight {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  var needsAnswers: Bool {
    if ["all", "where", "sort", "limit"].contains(where: invocation.has) { return true }
    if ["last", "export", "snapshot", "diff", "dupes"].contains(invocation.command) { return true }
    // A name has to be found before its weather can be asked for.
    if invocation.command == "weather" {
      return invocation.all("PLACE").contains { Double($0) == nil } || !invocation.has("PLACE")
    }
    return (invocation.all("TARGET") + invocation.all("TARGETS")).contains { target in
      target == "mine" || target == "@all" || target.hasPrefix("where ") || target.contains { ",-".contains($0) }
    }
  }
}

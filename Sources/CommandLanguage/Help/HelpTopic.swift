/// The topics that `help` explains in addition to the commands: `help where`, `help exit-codes`.
package enum HelpTopic: String, Hashable, Sendable, CaseIterable {
  case targets
  case `where`
  case fields
  case assignments
  case values
  case regex
  case output
  case writing
  case curl
  case editions
  case exitCodes = "exit-codes"
  case environment
  case keys
  case prefixes
  case prompt
  case scripts
  case mcp
  case habits

  package var page: HelpPage {
    switch self {
    case .targets: HelpTopic.targetsPage
    case .where: HelpTopic.wherePage
    case .fields: HelpTopic.fieldsPage
    case .assignments: HelpTopic.assignmentsPage
    case .values: HelpTopic.valuesPage
    case .regex: HelpTopic.regexPage
    case .output: HelpTopic.outputPage
    case .writing: HelpTopic.writingPage
    case .curl: HelpTopic.curlPage
    case .editions: HelpTopic.editionsPage
    case .exitCodes: HelpTopic.exitCodesPage
    case .environment: HelpTopic.environmentPage
    case .keys: HelpTopic.keysPage(vi: false)
    case .prefixes: HelpTopic.prefixesPage
    case .prompt: HelpTopic.promptPage
    case .scripts: HelpTopic.scriptsPage
    case .mcp: HelpTopic.mcpPage
    case .habits: HelpTopic.habitsPage
    }
  }

  /// Returns the topic of that name or of another name for it, or the topic that explains the prefix.
  package static func named(_ name: String) -> HelpTopic? {
    let name = name.lowercased()
    if let topic = HelpTopic(rawValue: name) ?? otherNames[name] { return topic }
    return CommandPrefix.words.contains(name) || name == "until" ? .prefixes : nil
  }

  private static let otherNames: [String: HelpTopic] = [
    "startup": .environment, "startup.market": .environment, "files": .environment, "formats": .output,
    "conditions": .where, "regexp": .regex, "variables": .values, "ci": .scripts, "options": .writing, "agents": .mcp,
    "agent": .mcp, "rw": .prompt, "ro": .prompt, "pending": .prompt,
  ]
}

import Platform

/// The environment variables that agents set for the programs they run.
///
/// They name the actor in the journal and switch messages to JSON where no terminal reads them. They never answer a
/// question and never change a check, so that the same requests leave with and without them.
package enum AgentVariable {
  /// The variables whose value is the agent's name.
  private static let named = ["AI_AGENT", "AGENT"]
  /// The variables of one agent each, in the order in which they are looked up, with its name.
  private static let known = [
    ("CLAUDECODE", "claude-code"), ("CLAUDE_CODE", "claude-code"), ("CODEX_SANDBOX", "codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "codex"), ("CURSOR_AGENT", "cursor"), ("GEMINI_CLI", "gemini-cli"),
    ("AUGMENT_AGENT", "augment"), ("OPENCODE", "opencode"), ("OPENCODE_CLIENT", "opencode"),
    ("CLINE_ACTIVE", "cline"),
  ]

  /// Returns the name of the agent that runs this program, or `nil`.
  package static func agent(in environment: Environment) -> String? {
    for variable in named {
      if let name = environment[variable].flatMap(agentName) { return name }
    }
    return known.first { variable, _ in
      let value = environment[variable] ?? ""
      return !value.isEmpty && value != "0" && value != "false"
    }?.1
  }

  /// Returns a name that others gave in a form that is safe to store and to type: letters, digits and `-_.`, at most 40.
  ///
  /// Returns `nil` if nothing remains.
  package static func agentName(_ text: String) -> String? {
    let name = text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" }
    let trimmed = String(name).split(separator: "-").joined(separator: "-").prefix(40)
    return trimmed.isEmpty ? nil : String(trimmed)
  }
}

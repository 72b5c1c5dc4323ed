/// The person or program that decided a change.
package enum ChangeActor: Hashable, Sendable {
  /// A user at a terminal.
  case person
  /// A script, by the name of its file.
  case script(String)
  /// A line of `-c`, of the words after the options, or of standard input.
  case line
  /// A scheduled plan that `due apply` executed.
  case timer
  /// An agent, by the name it gave: it planned the change over MCP, or its variables were in the environment.
  case agent(String)
}

extension ChangeActor {
  /// A Boolean value that indicates that no person decided the change.
  package var isAgent: Bool { if case .agent = self { true } else { false } }

  /// Returns whether the actor is meant by `name`: `agent claude-code`, or one of its two words.
  package func matches(_ name: String) -> Bool {
    let (own, name) = (description.lowercased(), name.lowercased())
    return own == name || own.hasPrefix(name + " ") || own.hasSuffix(" " + name)
  }
}

extension ChangeActor: LosslessStringConvertible {
  /// The actor as the journal and plan files store it: `person`, `script tidy.market`, `agent claude-code`.
  package var description: String {
    switch self {
    case .person: "person"
    case .script(let name): "script " + name
    case .line: "line"
    case .timer: "timer"
    case .agent(let name): "agent " + name
    }
  }

  /// Parses the stored form, or returns `nil` for other text.
  package init?(_ description: String) {
    let words = description.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.count) {
    case ("person", 1): self = .person
    case ("line", 1): self = .line
    case ("timer", 1): self = .timer
    case ("script", 2): self = .script(words[1])
    case ("agent", 2): self = .agent(words[1])
    default: return nil
    }
  }
}

/// The actor that decided a change, and the person who approved it, as the journal records them.
package struct Attribution: Hashable, Sendable {
  package var actor: ChangeActor
  /// The signer of the plan, or the account that typed the number of products of an agent's plan; `nil` if the actor's
  /// own confirmation was enough.
  package var approver: String?

  package init(_ actor: ChangeActor = .person, approver: String? = nil) {
    self.actor = actor
    self.approver = approver
  }
}

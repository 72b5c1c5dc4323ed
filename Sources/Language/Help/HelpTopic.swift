import Catalog

/// What `help` explains besides the commands: `help where`, `help exit-codes`.
package enum HelpTopic: String, Hashable, Sendable, CaseIterable {
  case targets
  case `where`
  case fields
  case assignments
  case formats
  case editions
  case exitCodes = "exit-codes"
  case environment
  case keys
  case prefixes

  package var page: HelpPage {
    switch self {
    case .targets: HelpTopic.targetsPage
    case .where: HelpTopic.wherePage
    case .fields: HelpTopic.fieldsPage
    case .assignments: HelpTopic.assignmentsPage
    case .formats: HelpTopic.formatsPage
    case .editions: HelpTopic.editionsPage
    case .exitCodes: HelpTopic.exitCodesPage
    case .environment: HelpTopic.environmentPage
    case .keys: HelpTopic.keysPage
    case .prefixes: HelpTopic.prefixesPage
    }
  }

  /// The topic of that name, or the one that explains the prefix.
  package static func named(_ name: String) -> HelpTopic? {
    let name = name.lowercased()
    return HelpTopic(rawValue: name) ?? (Prefix.words.contains(name) ? .prefixes : nil)
  }
}

import CommandLanguage
import Presentation
import Text

/// The settings of this session, changed by `set` and `format`.
package struct Settings: Hashable, Sendable {
  /// The key bindings of the prompt.
  package enum EditingMode: String, Hashable, Sendable, CaseIterable { case emacs, vi }

  /// The output about a written product on a terminal: one line, or the whole card.
  package enum AfterWrite: String, Hashable, Sendable, CaseIterable { case brief, full }

  /// The page size, or `nil` for the number of rows that fit on the screen, or a default without one.
  package var pageSize: Int?
  package static let defaultPageSize = 20
  package var format: OutputFormat = .table
  package var afterWrite: AfterWrite = .brief
  package var limits: LimitPolicy = .documented
  package var colors = true
  package var suggestions = true
  package var tips = true
  package var pager = true
  package var pictures = true
  package var calls = true
  package var treatsAmbiguousAsWide = false
  package var ascii = false
  package var keys: EditingMode = .emacs
  package var language: MessageLanguage = .english
  /// The form of messages, which `--errors` or an agent's variable chooses at the start.
  package var messageFormat: MessageFormat = .text

  package init() {}
}

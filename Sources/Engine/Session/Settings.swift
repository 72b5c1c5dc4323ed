import Catalog
import Language
import Text

/// What `set` and `format` change, for this session.
package struct Settings: Hashable, Sendable {
  package enum Keys: String, Hashable, Sendable, CaseIterable { case emacs, vi }

  package var pageSize = 20
  package var format: OutputFormat = .table
  package var limits: LimitPolicy = .documented
  package var colors = true
  package var suggestions = true
  package var tips = true
  package var pager = true
  package var pictures = true
  package var ambiguousWide = false
  package var ascii = false
  package var keys: Keys = .emacs
  package var tongue: Tongue = .english

  package init() {}
}

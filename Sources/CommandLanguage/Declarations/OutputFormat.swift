/// The format of printed data.
package enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case table
  case json
  case jsonl
  case csv
  case tsv
  case markdown
}

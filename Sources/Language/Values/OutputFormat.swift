/// How data is written for a person or a program.
package enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case table
  case json
  case jsonl
  case csv
  case tsv
  case markdown
}

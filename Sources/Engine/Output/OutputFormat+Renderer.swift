import Language
import Presentation

extension OutputFormat {
  package var renderer: any Renderer {
    switch self {
    case .table: TerminalRenderer()
    case .json: JSONRenderer()
    case .jsonl: JSONLinesRenderer()
    case .csv: CSVRenderer()
    case .tsv: TSVRenderer()
    case .markdown: MarkdownRenderer()
    }
  }

  /// The format a file's ending asks for: `page.json`.
  package init?(ending path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "md", "markdown": self = .markdown
    case "txt": self = .table
    default: return nil
    }
  }
}

import CommandLanguage
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
}

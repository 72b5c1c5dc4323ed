import Text

/// The format of printed data.
package enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case table
  case json
  case jsonl
  case csv
  case tsv
  case markdown
}

extension OutputFormat {
  package static var names: [String] { allCases.map(\.rawValue) }

  /// The endings of file names that select the format, and the description in the help.
  package var facts: (fileExtensions: [String], summary: LocalizedText) {
    switch self {
    case .table: (["txt"], LocalizedText("aligned columns, fitted to the window", ko: "창 너비에 맞춘 표"))
    case .json:
      (
        ["json"],
        LocalizedText("one object, or one object with all rows", ko: "객체 하나, 또는 모든 행을 담은 객체 하나")
      )
    case .jsonl: (["jsonl", "ndjson"], LocalizedText("one object per line", ko: "한 줄에 객체 하나"))
    case .csv:
      (
        ["csv"],
        LocalizedText(
          "with a header row (RFC 4180); formulas are escaped with '", ko: "헤더 행이 있는 RFC 4180; 수식 앞에는 '를 붙임")
      )
    case .tsv: (["tsv", "tab"], LocalizedText("tab-separated values", ko: "탭으로 구분한 값"))
    case .markdown: (["md", "markdown"], LocalizedText("a Markdown table", ko: "마크다운 표"))
    }
  }

  /// Returns the format of a file's extension: `page.json`.
  package init?(ending path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    guard let format = OutputFormat.allCases.first(where: { $0.facts.fileExtensions.contains(ending) }) else {
      return nil
    }
    self = format
  }
}

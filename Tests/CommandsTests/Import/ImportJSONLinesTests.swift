import CommandLanguage
import TestSupport
import Testing

@testable import Commands

/// A file of JSON is a document or has an object per line.
@Suite(.timeLimit(Trial.limit)) struct ImportJSONLinesTests {
  /// An object of so many members over two lines.
  private static func object(_ count: Int) -> String {
    "{\n" + (0..<count).map { "\"key\($0)\": 1" }.joined(separator: ", ") + "}\n"
  }

  @Test(
    arguments: [
      ("{\"name\": \"cup\"}\n{\"name\": \"mug\"}\n", nil), (object(3), .sequence), ("[{\"name\": \"cup\"}]", .array),
      ("{\"products\": [{\"name\": \"cup\"}]}", .products), ("{\n\"products\": [\n{\"name\": \"cup\"}]}", .products),
      ("{\"name\":\n", nil), (object(20_000), .sequence),
    ] as [(String, ImportJSONLines.Layout?)])
  func documentIsRecognized(_ text: String, _ layout: ImportJSONLines.Layout?) {
    #expect(ImportJSONLines.layout(of: text) == layout)
  }

  /// Parsing that ends because the task is cancelled is no damage, for which the text would be parsed another way.
  @Test func cancelledTaskParsesNothingAgain() async {
    let text = ImportJSONLinesTests.object(20_000)
    let (layout, rows, isFine) = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var problems = ImportProblems("keys.jsonl")
      let layout = ImportJSONLines.layout(of: text)
      let table = ImportJSONLines(names: .editionIndependent).table(of: text, &problems)
      return (layout, table.rows.count, problems.isEmpty)
    }.value
    #expect(layout == nil && rows == 0 && isFine)
  }
}

import Foundation
import Testing

/// A golden file: a text that is compared completely, with the differences shown by line.
///
/// With `OPENMARKET_RECORD=1` the file is written again and the test fails, so that the changes are reviewed.
package struct Golden: Sendable {
  package static let isRecording = ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1"

  package let path: String
  private let name: String

  /// Names a golden file.
  ///
  /// - Parameters:
  ///   - name: The path in the folder; `.txt` is appended if it has no extension.
  ///   - folder: The nearest folder of this name above the test, or else a path.
  ///   - file: The path of the test.
  package init(_ name: String, in folder: String = "Golden", file: String = #filePath) {
    self.name = name
    let isNamed = (name as NSString).pathExtension.isEmpty || name.hasSuffix(".")
    path = Golden.place(of: folder, above: file) + "/" + name + (isNamed ? ".txt" : "")
  }

  /// The text of the file, or `nil` while recording.
  package var kept: String? { Golden.isRecording ? nil : try? text() }

  /// Returns the text of the file, also while recording.
  ///
  /// - Throws: An error if the file cannot be read or is not UTF-8.
  package func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// Records an issue if `actual` differs from the file.
  ///
  /// - Throws: An error if the file cannot be read or written.
  package func check(_ actual: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    if Golden.isRecording {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: URL(fileURLWithPath: path))
      Issue.record(
        "\(name): recorded; look at it and run again without OPENMARKET_RECORD", sourceLocation: sourceLocation)
    } else if let difference = LineDiff(from: try text(), to: actual).text {
      Issue.record("\(name) is not what \(path) holds:\n\(difference)", sourceLocation: sourceLocation)
    }
  }

  private static func place(of folder: String, above file: String) -> String {
    if folder.hasPrefix("/") { return folder }
    var place = (file as NSString).deletingLastPathComponent
    while place.count > 1 {
      if FileManager.default.fileExists(atPath: place + "/" + folder) { return place + "/" + folder }
      place = (place as NSString).deletingLastPathComponent
    }
    return (file as NSString).deletingLastPathComponent + "/" + folder
  }
}

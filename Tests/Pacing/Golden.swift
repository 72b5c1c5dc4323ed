import Foundation
import Testing

/// A text that is kept in a file and compared whole: what differs is shown line by line.
///
/// With `OPENMARKET_RECORD=1` the file is written anew and the test fails, so that nobody forgets to look at it.
package struct Golden: Sendable {
  package static let isRecording = ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1"

  package let path: String
  private let name: String

  /// - Parameters:
  ///   - name: its path in the folder; `.txt` follows where it has no ending of its own.
  ///   - folder: the nearest folder of this name above the test, or else a path of its own.
  package init(_ name: String, in folder: String = "Golden", file: String = #filePath) {
    self.name = name
    let isNamed = (name as NSString).pathExtension.isEmpty || name.hasSuffix(".")
    path = Golden.place(of: folder, above: file) + "/" + name + (isNamed ? ".txt" : "")
  }

  /// What the file holds; nil while it is written anew.
  package var kept: String? { Golden.isRecording ? nil : try? text() }

  /// The file's text, also while it is written anew.
  ///
  /// - Throws: where the file cannot be read, or is no UTF-8.
  package func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// Records an issue where `actual` is not what the file holds.
  ///
  /// - Throws: where the file cannot be read or written.
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

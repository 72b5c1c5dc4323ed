import Foundation
import Platform

/// The bytes of a plan file as they were read once, with the path, beside which its signature is.
package struct PlanSource: Hashable, Sendable {
  package let path: String
  package let bytes: Data

  /// Reads a plan file.
  ///
  /// - Throws: `FileError`.
  package init(_ path: String) throws(FileError) {
    self.path = path
    bytes = try StableFileReader.data(path, limit: PlanFile.maximumBytes)
  }

  /// Returns the text.
  ///
  /// - Throws: `FileError.notText` if it isn't UTF-8.
  package func text() throws(FileError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText(path: path, at: InvalidByte(inUTF8: bytes))
    }
    return text
  }
}

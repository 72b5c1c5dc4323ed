/// A word of a command line for a POSIX shell.
package enum POSIXWord {
  /// Returns a text as one word: as it is if no character of it means anything to a shell, otherwise in single quotes.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+@:".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

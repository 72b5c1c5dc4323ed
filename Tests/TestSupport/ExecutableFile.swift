import Foundation

/// A script that tests start as a program.
package enum ExecutableFile {
  /// Writes an executable file.
  ///
  /// Another process writes it: a descriptor of this one would be inherited by every program that another test starts at the
  /// same moment, and a file that is open for writing can't be executed (`ETXTBSY` of `execve`).
  ///
  /// - Throws: The error of starting `/bin/sh`; `CocoaError` if the file can't be written.
  package static func write(_ text: String, to path: String) throws {
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    writer.arguments = ["-c", #"printf '%s' "$2" > "$1" && chmod 755 "$1""#, "sh", path, text]
    try writer.run()
    writer.waitUntilExit()
    guard writer.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

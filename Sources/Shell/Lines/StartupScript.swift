import Engine
import Foundation
import LineEditing
import Platform

/// The user's start-up file, `startup.market` in the configuration folder.
struct StartupScript {
  private let context: CommandContext
  private let script: NestedScript

  /// Creates the start-up file, or `nil` if it doesn't exist.
  init?(_ context: CommandContext) {
    let path = context.home.startupFile
    guard access(path, F_OK) == 0 else { return nil }
    self.context = context
    script = NestedScript(ScriptReference(path, named: path), context)
  }

  /// Runs the lines.
  ///
  /// An error is reported and the remaining lines run, so that a mistake in the file can't prevent a start.
  func run(_ session: inout Session) async {
    let keepsGoing = session.continuesOnError
    session.continuesOnError = true
    do {
      try await script.run(&session)
    } catch {
      _ = context.tell(error, session)
    }
    session.continuesOnError = keepsGoing
    session.hasEnded = false
  }

  func check(_ session: inout Session) {
    do {
      try script.check(&session)
    } catch {
      _ = context.tell(error, session)
    }
  }
}

/// The lines of a script file.
enum ScriptFile {
  /// Returns the lines of a file.
  ///
  /// Never blocks on a FIFO.
  ///
  /// - Throws: `FileError` if it can't be read or isn't a regular file.
  static func lines(_ path: String) throws(FileError) -> [Input] {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    return Array(LineReader(file))
  }

  /// Returns the canonical path of a file, to detect a script that runs itself.
  static func canonicalPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

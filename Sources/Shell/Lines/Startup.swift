import Engine
import Foundation
import LineEditing
import Platform

/// The person's own lines that every start begins with, `startup.market` in the configuration folder.
struct Startup {
  private let context: Context
  private let script: NestedScript

  /// Nil when there is no such file.
  init?(_ context: Context) {
    let path = context.home.startupFile
    guard access(path, F_OK) == 0 else { return nil }
    self.context = context
    script = NestedScript(ScriptReference(path, named: path), context)
  }

  /// A failing line is said, and the rest goes on: a slip in there must not lock anybody out.
  func run(_ session: inout Session) async {
    let keepsGoing = session.keepsGoing
    session.keepsGoing = true
    do {
      try await script.run(&session)
    } catch {
      _ = context.tell(error, session)
    }
    session.keepsGoing = keepsGoing
    session.isOver = false
  }

  func check(_ session: inout Session) {
    do {
      try script.check(&session)
    } catch {
      _ = context.tell(error, session)
    }
  }
}

/// The lines of a script in a file.
enum ScriptFile {
  /// Throws `FileError` for what is no regular file; never waits on a FIFO.
  static func lines(_ path: String) throws(FileError) -> [Input] {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    return Array(PlainLines(file))
  }

  /// The same file by whatever name, for telling whether a script comes back to itself.
  static func canonical(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

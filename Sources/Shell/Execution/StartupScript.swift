import Foundation
import Platform
import ShellRuntime

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

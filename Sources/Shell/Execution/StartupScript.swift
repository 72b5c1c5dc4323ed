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
    var scope = CommandScope(session, context)
    let keepsGoing = session.script.continuesOnError
    scope.session.script.continuesOnError = true
    do {
      _ = try await script.run(in: &scope)
    } catch {
      _ = context.tell(error, scope.session)
    }
    scope.session.script.continuesOnError = keepsGoing
    scope.session.hasEnded = false
    session = scope.session
  }

  func check(_ session: inout Session) {
    var scope = CommandScope(session, context)
    do {
      _ = try script.check(in: &scope)
    } catch {
      _ = context.tell(error, scope.session)
    }
    session = scope.session
  }
}

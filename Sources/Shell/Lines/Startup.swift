import Engine
import Foundation
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

import Engine
import Foundation
import LineEditing
import Platform
import Shell

extension Program {
  /// The line editor, fed by the same declarations as the parser.
  func makeEditor(
    _ session: Session, _ knowledge: Knowledge, whenFirstWaiting: @escaping @Sendable () -> Void
  ) -> LineEditor {
    var options = LineEditor.Options()
    options.historyFile = home.historyFile
    options.keys = session.settings.keys == .vi ? .vi : .emacs
    options.colors = session.settings.colors
    options.suggestions = session.settings.suggestions
    options.whenFirstWaiting = whenFirstWaiting
    try? Files.makeFolder(home.state)
    knowledge.follow(session)
    return LineEditor(options, help: knowledge.help)
  }
}

import Foundation
import Language
import LineEditing
import Shell

extension Program {
  /// The line editor, fed by the same declarations as the parser.
  func makeEditor(_ session: Session) -> LineEditor {
    var options = LineEditor.Options()
    options.historyFile = home.historyFile
    options.keys = session.settings.keys == .vi ? .vi : .emacs
    options.colors = session.settings.colors
    options.suggestions = session.settings.suggestions
    try? Files.makeFolder(home.state)
    return LineEditor(options)
  }
}

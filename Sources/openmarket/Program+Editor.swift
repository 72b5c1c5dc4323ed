import Foundation
import Catalog
import Language
import LineEditing
import Shell

extension Program {
  /// The line editor, fed by the same declarations as the parser.
  func makeEditor(_ session: Session, _ knowledge: Knowledge) -> LineEditor {
    var options = LineEditor.Options()
    options.historyFile = home.historyFile
    options.keys = session.settings.keys == .vi ? .vi : .emacs
    options.colors = session.settings.colors
    options.suggestions = session.settings.suggestions
    try? Files.makeFolder(home.state)
    let tongue = session.settings.tongue
    options.more = { "… \($0)" + Wording(" more", ko: "개 더")[tongue].plain }
    knowledge.follow(session)
    return LineEditor(
      options, completer: { knowledge.choices($0, at: $1, in: tongue) }, painter: { knowledge.colours($0) },
      isUnfinished: { AllCommands.grammar.isUnfinished($0) })
  }
}

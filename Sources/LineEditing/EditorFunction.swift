import CEditLine

/// A key function of ours, by the name `.editrc` may bind keys to.
struct EditorFunction {
  let name: String
  let help: String
  let body: edit_key_function

  private init(_ name: String, _ help: String, _ body: @escaping edit_key_function) {
    (self.name, self.help, self.body) = (name, help, body)
  }

  static var all: [EditorFunction] { choosing + searching + typing + ending }

  private static var choosing: [EditorFunction] {
    [
      .init("openmarket-complete", "Complete the word, or take the next choice") { line, _ in
        EditCore.of(line).complete(1)
      },
      .init("openmarket-complete-back", "Take the choice before") { line, _ in EditCore.of(line).complete(-1) },
      .init("openmarket-next-page", "Turn to the next page of choices") { line, _ in EditCore.of(line).turnPage(by: 1)
      },
      .init("openmarket-previous-page", "Turn to the page of choices before") { line, _ in
        EditCore.of(line).turnPage(by: -1)
      },
      .init("openmarket-choice-above", "Take the choice above") { line, _ in EditCore.of(line).moveChoice(by: -1) },
      .init("openmarket-choice-below", "Take the choice below") { line, _ in EditCore.of(line).moveChoice(by: 1) },
      .init("openmarket-accept", "Keep the choice") { line, _ in EditCore.of(line).acceptChoice() },
      .init("openmarket-close", "Put the choices away") { line, _ in EditCore.of(line).closeMenu() },
      .init("openmarket-forward", "Go right or take the suggestion") { line, _ in EditCore.of(line).forward() },
      .init("openmarket-forward-word", "Go a word right or take one of the suggestion") { line, _ in
        EditCore.of(line).forwardWord()
      },
    ]
  }

  private static var searching: [EditorFunction] {
    [
      .init("openmarket-older", "Go to the row or the line before") { line, _ in EditCore.of(line).goUp() },
      .init("openmarket-newer", "Go to the row or the line behind") { line, _ in EditCore.of(line).goDown() },
      .init("openmarket-search-back", "Search earlier lines") { line, _ in EditCore.of(line).search(forward: false) },
      .init("openmarket-search-forward", "Search later lines") { line, _ in EditCore.of(line).search(forward: true) },
      .init("openmarket-search-again", "Search for what was typed") { line, _ in EditCore.of(line).searchAgain() },
      .init("openmarket-leave-search", "Leave the search without its line") { line, _ in
        EditCore.of(line).leaveSearch()
      },
    ]
  }

  private static var typing: [EditorFunction] {
    [
      .init("openmarket-insert", "Insert a paste") { line, _ in EditCore.of(line).insertPayload(joining: false) },
      .init("openmarket-compose", "Join with the last") { line, _ in EditCore.of(line).insertPayload(joining: true) },
      .init("openmarket-more", "Go on in the next line") { line, _ in EditCore.of(line).continueLine() },
      .init("openmarket-revert", "Take back the last key") { line, _ in EditCore.of(line).revert() },
      .init("openmarket-go-to-end", "Go behind the text") { line, _ in EditCore.of(line).goBehindText() },
      .init("openmarket-beep", "Beep") { _, _ in UInt8(CC_REFRESH_BEEP) },
    ]
  }

  private static var ending: [EditorFunction] {
    [
      .init("openmarket-cancel", "Drop the line") { line, _ in EditCore.of(line).finish(.interrupted) },
      .init("openmarket-end", "Delete, or end on an empty line") { line, _ in EditCore.of(line).deleteOrEnd() },
      .init("openmarket-suspend", "Stop the program") { line, _ in EditCore.of(line).suspend() },
      .init("openmarket-up", "Go to the field above") { line, _ in EditCore.of(line).finish(.up) },
      .init("openmarket-down", "Go to the field below") { line, _ in EditCore.of(line).finish(.down) },
      .init("openmarket-leave", "Leave the form") { line, _ in EditCore.of(line).finish(.left) },
    ]
  }
}

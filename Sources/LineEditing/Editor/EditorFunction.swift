import CEditLine

/// An editing function of this program with the name that `.editrc` can bind keys to.
struct EditorFunction {
  let name: String
  let help: String
  let body: edit_key_function

  private init(_ name: String, _ help: String, body: @escaping edit_key_function) {
    (self.name, self.help, self.body) = (name, help, body)
  }

  static var all: [EditorFunction] { choosing + searching + typing + changing + reading + ending }

  private static var choosing: [EditorFunction] {
    [
      .init("openmarket-complete", "Complete the word, or select the next choice") { line, _ in
        EditorSession.of(line).complete(1)
      },
      .init("openmarket-complete-back", "Select the previous choice") { line, _ in EditorSession.of(line).complete(-1)
      },
      .init("openmarket-next-page", "Show the next page of choices") { line, _ in EditorSession.of(line).movePage(by: 1)
      },
      .init("openmarket-previous-page", "Show the previous page of choices") { line, _ in
        EditorSession.of(line).movePage(by: -1)
      },
      .init("openmarket-choice-above", "Select the choice above") { line, _ in EditorSession.of(line).moveChoice(by: -1)
      },
      .init("openmarket-choice-below", "Select the choice below") { line, _ in EditorSession.of(line).moveChoice(by: 1)
      },
      .init("openmarket-accept", "Accept the choice") { line, _ in EditorSession.of(line).menu.accept() },
      .init("openmarket-close", "Close the choices") { line, _ in EditorSession.of(line).menu.close() },
      .init("openmarket-forward", "Move right, or accept the suggestion") { line, _ in
        EditorSession.of(line).suggestion.forward()
      },
      .init("openmarket-forward-word", "Move a word right, or accept a word of the suggestion") { line, _ in
        EditorSession.of(line).suggestion.forwardWord()
      },
    ]
  }

  private static var searching: [EditorFunction] {
    [
      .init("openmarket-older", "Move to the previous row or line") { line, _ in EditorSession.of(line).recall.goUp() },
      .init("openmarket-newer", "Move to the next row or line") { line, _ in EditorSession.of(line).recall.goDown() },
      .init("openmarket-newest", "Move to the line being typed") { line, _ in EditorSession.of(line).recall.goToNewest()
      },
      .init("openmarket-search-back", "Search history backward") { line, _ in
        EditorSession.of(line).recall.search(forward: false)
      },
      .init("openmarket-search-forward", "Search history forward") { line, _ in
        EditorSession.of(line).recall.search(forward: true)
      },
      .init("openmarket-vi-search-back", "Search history backward, as in vi") { line, _ in
        EditorSession.of(line).recall.search(forward: false, fromVi: true)
      },
      .init("openmarket-vi-search-forward", "Search history forward, as in vi") { line, _ in
        EditorSession.of(line).recall.search(forward: true, fromVi: true)
      },
      .init("openmarket-repeat-search", "Search again") { line, _ in
        EditorSession.of(line).recall.repeatSearch(isReversed: false)
      },
      .init("openmarket-repeat-search-back", "Search again in the other direction") { line, _ in
        EditorSession.of(line).recall.repeatSearch(isReversed: true)
      },
      .init("openmarket-search-again", "Search for the typed text") { line, _ in
        EditorSession.of(line).recall.searchAgain()
      },
      .init("openmarket-leave-search", "Cancel the search") { line, _ in
        EditorSession.of(line).recall.leaveSearch()
      },
    ]
  }

  private static var typing: [EditorFunction] {
    [
      .init("openmarket-insert", "Insert a text") { line, code in EditorSession.of(line).insertText(of: code) },
      .init("openmarket-quote", "Insert the next key literally") { line, _ in EditorSession.of(line).quote() },
      .init("openmarket-more", "Continue on the next line") { line, _ in EditorSession.of(line).changes.continueLine()
      },
      .init("openmarket-revert", "Undo the last key") { line, _ in EditorSession.of(line).revert() },
      .init("openmarket-go-to-end", "Move to the end of the row") { line, _ in
        EditorSession.of(line).changes.goToEndOfRow()
      },
      .init("openmarket-new-row", "Insert a line break") { line, _ in EditorSession.of(line).breakRow() },
      .init("openmarket-edit-line", "Edit the line in an editor") { line, _ in EditorSession.of(line).editLine() },
      .init("openmarket-explain", "Explain the command at the cursor") { line, _ in EditorSession.of(line).explain() },
      .init("openmarket-prefix", "Add the dry prefix, or remove it") { line, _ in
        EditorSession.of(line).togglePrefix()
      },
      .init("openmarket-clear", "Clear the screen") { line, _ in EditorSession.of(line).clearScreen() },
      .init("openmarket-redisplay", "Redraw the line") { line, _ in EditorSession.of(line).redisplay() },
      .init("openmarket-beep", "Beep") { _, _ in UInt8(CC_REFRESH_BEEP) },
    ]
  }

  private static var changing: [EditorFunction] {
    [
      .init("openmarket-undo", "Undo a change") { line, _ in EditorSession.of(line).changes.undo() },
      .init("openmarket-redo", "Redo a change") { line, _ in EditorSession.of(line).changes.redo() },
      .init("openmarket-kill-to-end", "Cut to the end of the row") { line, _ in
        EditorSession.of(line).changes.killToEnd()
      },
      .init("openmarket-kill-to-start", "Cut to the start of the row") { line, _ in
        EditorSession.of(line).changes.killToStart()
      },
      .init("openmarket-kill-word-before", "Cut the previous word") { line, _ in
        EditorSession.of(line).changes.killPreviousWord()
      },
      .init("openmarket-kill-word-behind", "Cut the next word") { line, _ in
        EditorSession.of(line).changes.killNextWord()
      },
      .init("openmarket-yank", "Paste") { line, _ in EditorSession.of(line).changes.yank() },
      .init("openmarket-yank-pop", "Paste the previous cut") { line, _ in EditorSession.of(line).changes.yankPop() },
      .init("openmarket-delete-before", "Delete the previous character") { line, _ in
        EditorSession.of(line).changes.deletePreviousCharacter()
      },
      .init("openmarket-back", "Go left") { line, _ in EditorSession.of(line).changes.goLeft() },
      .init("openmarket-last-word", "Insert the last word of an earlier line") { line, _ in
        EditorSession.of(line).recall.insertLastWord()
      },
      .init("openmarket-comment", "Turn the line into a comment") { line, _ in EditorSession.of(line).commentOut() },
      .init("openmarket-history-line", "Move to a line by number") { line, _ in EditorSession.of(line).recall.goToLine()
      },
      .init("openmarket-go-to-start", "Move to the start of the row") { line, _ in
        EditorSession.of(line).changes.goToStartOfRow()
      },
      .init("openmarket-delete-behind", "Delete the character at the cursor") { line, _ in
        EditorSession.of(line).changes.deleteNextCharacter()
      },
      .init("openmarket-transpose", "Swap two characters") { line, _ in EditorSession.of(line).changes.transpose() },
      .init("openmarket-transpose-words", "Swap two words") { line, _ in EditorSession.of(line).changes.transposeWords()
      },
      .init("openmarket-delete-blanks", "Delete the blanks at the cursor") { line, _ in
        EditorSession.of(line).changes.deleteBlanks()
      },
      .init("openmarket-undo-command", "Undo a change, as in vi") { line, _ in
        EditorSession.of(line).changes.undoCommand()
      },
      .init("openmarket-undo-all", "Undo all changes") { line, _ in EditorSession.of(line).changes.undoAll() },
    ]
  }

  private static var reading: [EditorFunction] {
    [
      .init("openmarket-find-next", "Move to the next given character") { line, _ in
        EditorSession.of(line).readCharacter(for: .findNext)
      },
      .init("openmarket-find-previous", "Move to the previous given character") { line, _ in
        EditorSession.of(line).readCharacter(for: .findPrevious)
      },
      .init("openmarket-find-to-next", "Move before the next given character") { line, _ in
        EditorSession.of(line).readCharacter(for: .findToNext)
      },
      .init("openmarket-find-to-previous", "Move after the previous given character") { line, _ in
        EditorSession.of(line).readCharacter(for: .findToPrevious)
      },
      .init("openmarket-replace", "Replace a character") { line, _ in
        EditorSession.of(line).readCharacter(for: .replaceCharacter)
      },
    ]
  }

  private static var ending: [EditorFunction] {
    [
      .init("openmarket-enter", "Run the line") { line, _ in EditorSession.of(line).acceptLine() },
      .init("openmarket-enter-and-next", "Run the line, then recall the one after it") { line, _ in
        EditorSession.of(line).acceptLineAndRecallNext()
      },
      .init("openmarket-cancel", "Discard the line") { line, _ in EditorSession.of(line).endLine(.interrupted) },
      .init("openmarket-end", "Delete a character, or exit on an empty line") { line, _ in
        EditorSession.of(line).deleteOrEnd()
      },
      .init("openmarket-suspend", "Suspend the program") { line, _ in EditorSession.of(line).suspend() },
      .init("openmarket-up", "Move to the field above") { line, _ in EditorSession.of(line).endLine(.up) },
      .init("openmarket-down", "Move to the field below") { line, _ in EditorSession.of(line).endLine(.down) },
      .init("openmarket-leave", "Leave the form") { line, _ in EditorSession.of(line).endLine(.escaped) },
    ]
  }
}

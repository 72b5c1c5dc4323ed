import CEditLine

/// An editing function of this program with the name that `.editrc` can bind keys to.
struct EditorFunction {
  let name: String
  let help: String
  let body: edit_key_function

  private init(_ name: String, _ help: String, _ body: @escaping edit_key_function) {
    (self.name, self.help, self.body) = (name, help, body)
  }

  static var all: [EditorFunction] { choosing + searching + typing + changing + reading + ending }

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
      .init("openmarket-accept", "Keep the choice") { line, _ in EditCore.of(line).menu.accept() },
      .init("openmarket-close", "Put the choices away") { line, _ in EditCore.of(line).menu.close() },
      .init("openmarket-forward", "Go right or take the suggestion") { line, _ in EditCore.of(line).suggestion.forward()
      },
      .init("openmarket-forward-word", "Go a word right or take one of the suggestion") { line, _ in
        EditCore.of(line).suggestion.forwardWord()
      },
    ]
  }

  private static var searching: [EditorFunction] {
    [
      .init("openmarket-older", "Go to the row or the line before") { line, _ in EditCore.of(line).recall.goUp() },
      .init("openmarket-newer", "Go to the row or the line behind") { line, _ in EditCore.of(line).recall.goDown() },
      .init("openmarket-newest", "Go back to the line that was typed") { line, _ in
        EditCore.of(line).recall.goToNewest()
      },
      .init("openmarket-search-back", "Search earlier lines") { line, _ in
        EditCore.of(line).recall.search(forward: false)
      },
      .init("openmarket-search-forward", "Search later lines") { line, _ in
        EditCore.of(line).recall.search(forward: true)
      },
      .init("openmarket-vi-search-back", "Search earlier lines, as vi") { line, _ in
        EditCore.of(line).recall.search(forward: false, fromVi: true)
      },
      .init("openmarket-vi-search-forward", "Search later lines, as vi") { line, _ in
        EditCore.of(line).recall.search(forward: true, fromVi: true)
      },
      .init("openmarket-repeat-search", "Search once more") { line, _ in
        EditCore.of(line).recall.repeatSearch(isTurned: false)
      },
      .init("openmarket-repeat-search-back", "Search once more, the other way") { line, _ in
        EditCore.of(line).recall.repeatSearch(isTurned: true)
      },
      .init("openmarket-search-again", "Search for what was typed") { line, _ in EditCore.of(line).recall.searchAgain()
      },
      .init("openmarket-leave-search", "Leave the search without its line") { line, _ in
        EditCore.of(line).recall.leaveSearch()
      },
    ]
  }

  private static var typing: [EditorFunction] {
    [
      .init("openmarket-insert", "Insert a text") { line, code in EditCore.of(line).insertText(of: code) },
      .init("openmarket-quote", "Insert the next key as it is") { line, _ in EditCore.of(line).quote() },
      .init("openmarket-more", "Go on in the next line") { line, _ in EditCore.of(line).changes.continueLine() },
      .init("openmarket-revert", "Take back the last key") { line, _ in EditCore.of(line).revert() },
      .init("openmarket-go-to-end", "Go to the end of the row") { line, _ in EditCore.of(line).changes.goToEndOfRow() },
      .init("openmarket-new-row", "Break the row") { line, _ in EditCore.of(line).breakRow() },
      .init("openmarket-edit-line", "Change the line in an editor") { line, _ in EditCore.of(line).editLine() },
      .init("openmarket-explain", "Explain the command at the cursor") { line, _ in EditCore.of(line).explain() },
      .init("openmarket-prefix", "Put the prefix that only shows in front, or take it away") { line, _ in
        EditCore.of(line).togglePrefix()
      },
      .init("openmarket-clear", "Clear the screen") { line, _ in EditCore.of(line).clearScreen() },
      .init("openmarket-redisplay", "Draw the line anew") { line, _ in EditCore.of(line).redisplay() },
      .init("openmarket-beep", "Beep") { _, _ in UInt8(CC_REFRESH_BEEP) },
    ]
  }

  private static var changing: [EditorFunction] {
    [
      .init("openmarket-undo", "Take back a change") { line, _ in EditCore.of(line).changes.undo() },
      .init("openmarket-redo", "Make it again") { line, _ in EditCore.of(line).changes.redo() },
      .init("openmarket-kill-to-end", "Cut to the end") { line, _ in EditCore.of(line).changes.killToEnd() },
      .init("openmarket-kill-to-start", "Cut to the start") { line, _ in EditCore.of(line).changes.killToStart() },
      .init("openmarket-kill-word-before", "Cut the word before") { line, _ in
        EditCore.of(line).changes.killWordBefore()
      },
      .init("openmarket-kill-word-behind", "Cut the word behind") { line, _ in
        EditCore.of(line).changes.killWordBehind()
      },
      .init("openmarket-yank", "Put in what was cut") { line, _ in EditCore.of(line).changes.yank() },
      .init("openmarket-yank-pop", "Put in what was cut before") { line, _ in EditCore.of(line).changes.yankPop() },
      .init("openmarket-delete-before", "Delete the character before") { line, _ in
        EditCore.of(line).changes.deleteBefore()
      },
      .init("openmarket-back", "Go left") { line, _ in EditCore.of(line).changes.goLeft() },
      .init("openmarket-last-word", "Put in the last word of a line before") { line, _ in
        EditCore.of(line).recall.insertLastWord()
      },
      .init("openmarket-comment", "Keep the line as a remark") { line, _ in EditCore.of(line).commentOut() },
      .init("openmarket-history-line", "Go to a line by its number") { line, _ in EditCore.of(line).recall.goToLine() },
      .init("openmarket-go-to-start", "Go to the start of the row") { line, _ in
        EditCore.of(line).changes.goToStartOfRow()
      },
      .init("openmarket-delete-behind", "Delete the character at the cursor") { line, _ in
        EditCore.of(line).changes.deleteBehind()
      },
      .init("openmarket-transpose", "Exchange two characters") { line, _ in EditCore.of(line).changes.transpose() },
      .init("openmarket-transpose-words", "Exchange two words") { line, _ in EditCore.of(line).changes.transposeWords()
      },
      .init("openmarket-delete-blanks", "Delete the blanks at the cursor") { line, _ in
        EditCore.of(line).changes.deleteBlanks()
      },
      .init("openmarket-undo-command", "Take back a change of vi's") { line, _ in
        EditCore.of(line).changes.undoCommand()
      },
      .init("openmarket-undo-all", "Take back all changes") { line, _ in EditCore.of(line).changes.undoAll() },
    ]
  }

  private static var reading: [EditorFunction] {
    [
      .init("openmarket-find-next", "Go to the next character of a kind") { line, _ in
        EditCore.of(line).readCharacter(for: .findNext)
      },
      .init("openmarket-find-previous", "Go to the character of a kind before") { line, _ in
        EditCore.of(line).readCharacter(for: .findPrevious)
      },
      .init("openmarket-find-to-next", "Go before the next character of a kind") { line, _ in
        EditCore.of(line).readCharacter(for: .findToNext)
      },
      .init("openmarket-find-to-previous", "Go behind the character of a kind before") { line, _ in
        EditCore.of(line).readCharacter(for: .findToPrevious)
      },
      .init("openmarket-replace", "Replace a character") { line, _ in
        EditCore.of(line).readCharacter(for: .replaceCharacter)
      },
    ]
  }

  private static var ending: [EditorFunction] {
    [
      .init("openmarket-enter", "Run the line") { line, _ in EditCore.of(line).submit() },
      .init("openmarket-cancel", "Drop the line") { line, _ in EditCore.of(line).finish(.interrupted) },
      .init("openmarket-end", "Delete, or end on an empty line") { line, _ in EditCore.of(line).deleteOrEnd() },
      .init("openmarket-suspend", "Stop the program") { line, _ in EditCore.of(line).suspend() },
      .init("openmarket-up", "Go to the field above") { line, _ in EditCore.of(line).finish(.up) },
      .init("openmarket-down", "Go to the field below") { line, _ in EditCore.of(line).finish(.down) },
      .init("openmarket-leave", "Leave the form") { line, _ in EditCore.of(line).finish(.left) },
    ]
  }
}

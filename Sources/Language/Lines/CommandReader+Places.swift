/// Words that are read by where they stand.
extension CommandReader {
  mutating func takePlaced(_ word: Word) throws(Misread) {
    if let bare = word.bare, bare.hasPrefix(">") { throw redirected(word) }
    var first: Misread?
    while place < placed.count {
      let parameter = placed[place]
      let start = index
      do throws(Misread) {
        let value =
          parameter.kind == .expression ? try takeExpression(after: word) : try takeChecked(parameter, word)
        invocation.words[parameter.name, default: []].append(value)
        if case .positional = parameter.place { place += 1 }
        return
      } catch {
        first = first ?? error
        // A word that does not fit an optional place may fit the next one: `show name price`.
        guard parameter.place == .positional(required: false), place + 1 < placed.count else { break }
        index = start
        place += 1
      }
    }
    if let error = first {
      throw ReadingProblem.misfit(word, error, worded)
    }
    throw ReadingProblem.surplus(word, of: declaration, worded)
  }
}

/// The line of an alias, with the places its arguments go to.
struct AliasBody {
  private let line: String
  /// `$1`, `$@`, in the order they stand.
  private let places: [Word.Part]

  init(_ line: String) {
    self.line = line
    places = Lexer(line).tokens.flatMap { token -> [Word.Part] in
      guard case .word(let word) = token else { return [] }
      return word.parts.filter { $0.kind == .variable && Word.isArgument($0.text) }
    }
  }

  var placesArguments: Bool { !places.isEmpty }

  /// True where `$@` stands for all of them.
  var takesAll: Bool { places.contains { $0.text == "@" } }

  /// How many arguments the line names.
  var needed: Int { places.compactMap { ValueReader.integer($0.text) }.max() ?? 0 }

  /// The line with arguments, as they were typed, in their places.
  func filled(with arguments: [String]) -> String {
    var scalars = Array(line.unicodeScalars)
    for place in places.reversed() {
      let text: String
      if place.text == "@" {
        text = arguments.joined(separator: " ")
      } else if let number = ValueReader.integer(place.text), arguments.indices.contains(number - 1) {
        text = arguments[number - 1]
      } else {
        continue
      }
      scalars.replaceSubrange(place.range, with: Array(text.unicodeScalars))
    }
    return Grammar.text(scalars[...])
  }
}

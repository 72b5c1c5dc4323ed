import Catalog
import Text

/// Words that name what they give: `page 2`, `--page 2`, `--page=2`, `all`.
extension CommandReader {
  /// `--page 2`, `--page=2`, `--all`.
  mutating func dashed(_ bare: String, _ word: Word) throws(Misread) -> Bool {
    guard bare.hasPrefix("--"), bare.count > 2 else { return false }
    let halves = bare.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(halves[0])
    guard let parameter = worded.first(where: { $0.name == name }) else {
      throw ReadingProblem.unknownOption("--" + name, of: declaration, worded, at: word.range)
    }
    if halves.count == 2 {
      try give(parameter, String(halves[1]), word)
      index += 1
    } else {
      try take(parameter, named: word)
    }
    return true
  }

  /// A value that is attached to its option: `--page=2`, `page=2`.
  mutating func give(_ parameter: Parameter, _ value: String, _ word: Word) throws(Misread) {
    guard parameter.place == .option else {
      throw Misread(
        Wording("\(.field(parameter.name)) takes no value.", ko: "\(.field(parameter.name))에는 값을 주지 않습니다."),
        at: word.range)
    }
    let checked: String
    if parameter.kind == .expression {
      checked = try Expression.read(value, names: names).description
    } else {
      checked = word.isUnknown ? value : try values.check(value, parameter, at: word.range)
    }
    try store(parameter, [checked], word)
  }

  mutating func take(_ parameter: Parameter, named word: Word) throws(Misread) {
    index += 1
    if parameter.place == .flag { return try store(parameter, [], word) }
    try store(parameter, [try takeValue(of: parameter, after: word)], word)
  }

  private mutating func store(_ parameter: Parameter, _ given: [String], _ word: Word) throws(Misread) {
    if parameter == .ofWatching {
      invocation.until = try given.first.map { text throws(Misread) in try Expression.read(text, names: names) }
      return
    }
    let isFormat = parameter.name == "as" && given.first.flatMap { OutputFormat(rawValue: $0) } != nil
    let isClause = declaration.prints && (Parameter.ofPrinting.contains(parameter) || isFormat)
    let isTwice =
      isClause
      ? (parameter.name == "as" ? invocation.clauses.format != nil : invocation.clauses.file != nil)
      : invocation.words[parameter.name] != nil
    if isTwice, parameter.place != .flag {
      throw Misread(
        Wording("\(.field(parameter.name)) is given twice.", ko: "\(.field(parameter.name), .subject) 두 번 나왔습니다."),
        at: word.range)
    }
    guard isClause else {
      invocation.words[parameter.name] = given
      return
    }
    if parameter.name == "as" {
      invocation.clauses.format = given.first.flatMap { OutputFormat(rawValue: $0) }
    } else {
      invocation.clauses.file = given.first
    }
  }
}

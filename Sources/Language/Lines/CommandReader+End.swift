import Catalog
import Text

/// What is looked at when all words are read.
extension CommandReader {
  mutating func pipe() throws(Misread) {
    guard let pipe = segment.pipe else { return }
    if keptPipe { return }
    guard declaration.prints else {
      throw Misread(
        Wording(
          "\(.command(declaration.name)) prints no data to hand to a program.",
          ko: "\(.command(declaration.name))에는 다른 프로그램에 넘길 데이터가 없습니다."), at: segment.pipeRange)
    }
    guard !pipe.isEmpty else {
      throw Misread(
        Wording("A program is missing after \(.command("|")).", ko: "\(.command("|")) 뒤에 프로그램이 없습니다."),
        next: Wording("\(.command("ls | less"))", ko: "\(.command("ls | less"))"), at: segment.pipeRange)
    }
    invocation.clauses.pipe = pipe
  }

  func requireAll() throws(Misread) {
    for parameter in placed where invocation.words[parameter.name] == nil {
      switch parameter.place {
      case .positional(required: true), .rest(required: true):
        throw ReadingProblem.missing(parameter, of: declaration, at: segment.range.upperBound)
      case .positional, .rest, .option, .flag, .assignments: break
      }
    }
  }
}

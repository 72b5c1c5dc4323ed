import Catalog
import Text

/// A condition on a product: `stock=0 and (price>10000 or name~"맥북")`.
///
/// Prints as it is written in the language; what is printed reads back as the same expression.
package indirect enum Expression: Hashable, Sendable {
  case compare(Operand, Comparison, Literal)
  /// `field in (a, b)`
  case among(Operand, [Literal])
  case not(Expression)
  /// Two or more, in the order written.
  case all([Expression])
  case any([Expression])

  /// Reads a whole text as one expression.
  package static func read(_ text: String, names: FieldNames = .neutral) throws(Misread) -> Expression {
    let lexer = Lexer(text)
    if let problem = lexer.problem { throw problem }
    var words: [Word] = []
    for token in lexer.tokens {
      guard case .word(let word) = token else {
        throw Misread(
          Wording("This is no part of a condition.", ko: "조건에 쓸 수 없는 글자입니다."), at: token.range)
      }
      words.append(word)
    }
    let (expression, used) = try readAlone(words, names, after: text.unicodeScalars.count)
    if used < words.count { throw ExpressionParser.surplus(words[used].range, words[used].text) }
    return expression
  }

  /// The text stands alone: there is no line to point into.
  private static func readAlone(
    _ words: [Word], _ names: FieldNames, after end: Int
  ) throws(Misread) -> (Expression, used: Int) {
    do throws(Misread) {
      return try read(words[...], names: names, after: end)
    } catch {
      var plain = error
      plain.pointsAtPlace = false
      throw plain
    }
  }

  /// Reads the longest expression that the words begin with; tells how many words it took.
  ///
  /// `end` is where to point when something is missing at the end.
  package static func read(
    _ words: ArraySlice<Word>, names: FieldNames, after end: Int
  ) throws(Misread) -> (Expression, used: Int) {
    do throws(Misread) {
      var parser = ExpressionParser(words, names: names, end: end)
      let expression = try parser.expression()
      return (expression, try parser.usedWords())
    } catch {
      var pointing = error
      pointing.pointsAtPlace = true
      throw pointing
    }
  }
}

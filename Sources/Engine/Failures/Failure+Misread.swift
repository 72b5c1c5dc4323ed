import Language
import Platform
import Presentation
import Text

extension Failure {
  package init(_ misread: ParseError) {
    var message = Message(.failure, misread.what)
    if let next = misread.next { message = message.next(next) }
    if misread.pointsAtPlace, let line = misread.line, let range = misread.range {
      message.excerpt = Excerpt(line, range)
    }
    self.init(.misread, message)
  }
}

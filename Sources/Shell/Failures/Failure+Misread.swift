import Language
import Presentation

extension Failure {
  init(_ misread: Misread) {
    var message = Message(.failure, misread.what)
    if let next = misread.next { message = message.next(next) }
    self.init(.misread, message)
  }
}

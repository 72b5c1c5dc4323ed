import Catalog
import Journal
import Language
import Marketplace
import Networking
import Pictures
import Platform
import Presentation
import Scanning
import Text
import Weather

extension Failure {
  /// Words and exit code for whatever a command threw.
  package init(describing error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let message as Message: self.init(.refused, message)
    case let misread as ParseError: self.init(misread)
    case let error as MarketError: self.init(error)
    case let list as UnendingList: self.init(list)
    case let list as EndlessList: self.init(list)
    case is UnknownVendor: self = .unknownVendor
    case let failure as TransportFailure: self.init(failure)
    case let error as PictureError: self.init(error)
    case let error as FileError: self.init(error)
    case let error as OutputError: self.init(error)
    case let refusal as UndoRefusal: self.init(refusal)
    case let failure as JournalFailure: self.init(.heldBack, Message(.failure, failure.wording))
    case let error as WeatherError: self.init(error)
    case is CancellationError: self = .interrupted
    default:
      self.init(
        .refused,
        .failure("Something unexpected went wrong.", ko: "예상하지 못한 일이 생겼습니다.")
          .because(Wording(same: "\(.foreign(String(describing: error)))")))
    }
  }

  package static let interrupted = Failure(.interrupted, .note("Interrupted.", ko: "중단했습니다."))

  /// The exit code that goes with whatever a command threw.
  package static func code(of error: any Error) -> ExitStatus {
    if let silent = error as? SilentFailure { return silent.code }
    return Failure(describing: error).code
  }
}

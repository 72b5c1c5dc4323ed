import Catalog
import Foundation
import Pictures
import Presentation

extension Failure {
  init(_ error: PictureError) { self.init(.misread, Failure.picture(error)) }
}

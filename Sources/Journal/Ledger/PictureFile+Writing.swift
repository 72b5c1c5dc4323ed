import Catalog
import Foundation

extension PictureFile {
  /// As the journal keeps it.
  var object: ObjectText {
    var object = ObjectText()
    object.add("bytes", bytes.base64EncodedString())
    object.add("name", name)
    object.add("type", type)
    return object
  }
}

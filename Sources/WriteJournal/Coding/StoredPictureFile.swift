import Catalog
import Foundation

/// The name and type of a picture, whose data is a blob.
struct StoredPictureFile: Decodable {
  let file: PictureFile

  private enum Key: String, CodingKey { case bytes, name, type }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    file = PictureFile(
      name: try box.decode(String.self, forKey: .name), type: try box.decode(String.self, forKey: .type),
      bytes: try box.decode(Data.self, forKey: .bytes))
  }
}

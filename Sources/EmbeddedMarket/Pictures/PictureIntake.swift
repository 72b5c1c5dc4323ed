import Foundation

/// Turns the file parts of a form into pictures to be kept, thumbnails made.
struct PictureIntake: Sendable {
  let desk: Desk

  func take(_ parts: [Multipart.Part]) async throws -> [NewPicture] {
    try desk.rules.checkPictureCount(parts.count)
    for part in parts { try desk.rules.check(picture: part.content) }
    var pictures: [NewPicture] = []
    for part in parts {
      let thumbnail = await desk.studio.thumbnail(of: part.content)
      pictures.append(
        NewPicture(
          origin: desk.identifier().compact, thumb: desk.identifier().compact,
          fileExtension: PictureKeys.fileExtension(of: part.fileName ?? ""),
          content: .sent(part.content, thumbnail: thumbnail)))
    }
    return pictures
  }
}

/// Converts the file parts of a form to pictures with thumbnails.
struct PictureIntake: Sendable {
  let server: ServerDependencies

  func pictures(_ parts: [MultipartBody.Part]) async throws -> [NewPicture] {
    try server.rules.checkPictureCount(parts.count)
    for part in parts { try server.rules.check(picture: part.content) }
    var pictures: [NewPicture] = []
    for part in parts {
      let thumbnail = try await server.studio.thumbnail(of: part.content)
      pictures.append(
        NewPicture(
          origin: server.identifier().hexString, thumb: server.identifier().hexString,
          fileExtension: PictureFileName.fileExtension(of: part.fileName ?? ""),
          content: .sent(part.content, thumbnail: thumbnail)))
    }
    return pictures
  }
}

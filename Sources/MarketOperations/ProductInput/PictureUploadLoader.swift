import Catalog
import Foundation
import Images
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text
import WriteJournal

/// Reads the pictures named by the user and fits them to the limits: JPEG or PNG, upright, under 300 KB, one to five.
///
/// Location data is removed.
package struct PictureUploadLoader {
  private let paths: [String]
  /// The folder of the file that states the paths, or `nil` for paths that the user typed.
  private let folder: ConfinedPath?
  private let home: String?
  private let counts: ClosedRange<Int>

  /// Creates a list of pictures that the user typed.
  ///
  /// `counts` is the allowed number; with `set limits server` the server checks it.
  package init(_ paths: [String], home: String?, counts: ClosedRange<Int> = DocumentedLimits.openMarket.pictures) {
    self.paths = paths
    self.folder = nil
    self.home = home
    self.counts = counts
  }

  /// Creates a list of pictures that a file in `folder` states: it can't name any outside.
  package init(stated paths: [String], in folder: ConfinedPath, counts: ClosedRange<Int>) {
    self.paths = paths
    self.folder = folder
    self.home = nil
    self.counts = counts
  }

  /// The side in pixels below which a picture is too small for shops.
  private static let minRecommendedSide = 200

  /// Returns the files ready to be sent, with remarks about how they were changed and about visible defects.
  ///
  /// - Throws: `CommandError` for a file that isn't a picture, can't be made small enough or can't be read, and for a path
  ///   that leaves the folder of the file that states it.
  package func read() throws -> (files: [PictureFile], remarks: [Message]) {
    guard counts.contains(paths.count) else {
      throw CommandError(
        .usageError,
        .failure(
          "A product needs 1 to 5 images, but \(paths.count) were given.", ko: "사진은 1장부터 5장까지인데 \(paths.count)장입니다."))
    }
    var files: [PictureFile] = []
    var remarks: [Message] = []
    for path in paths {
      let fitted = try fitted(path)
      files.append(
        PictureFile(
          name: "picture-\(files.count + 1).\(fitted.format.fileExtension)", type: fitted.format.mediaType,
          bytes: fitted.bytes, statedPath: folder == nil ? nil : path))
      remarks += PictureUploadLoader.notes(path, fitted)
    }
    return (files, remarks)
  }

  /// Returns the reason why the picture at a path can't be sent, or `nil`.
  package static func problem(_ path: String) -> CommandError? {
    do throws(CommandError) {
      _ = try fitted(path)
      return nil
    } catch {
      return error
    }
  }

  private func fitted(_ path: String) throws(CommandError) -> FittedPicture {
    guard let folder else { return try PictureUploadLoader.fitted(Paths.expanded(path, home: home)) }
    return try PictureUploadLoader.fitted(PictureUploadLoader.bytes(path, in: folder), path)
  }

  private static func fitted(_ path: String) throws(CommandError) -> FittedPicture {
    let bytes: Data
    do throws(PictureError) {
      bytes = try PictureFileReader.read(path: path)
    } catch {
      throw CommandError(error, picture: path)
    }
    return try fitted(bytes, path)
  }

  private static func fitted(_ bytes: Data, _ path: String) throws(CommandError) -> FittedPicture {
    do throws(PictureError) {
      return try PictureFitter.fit(bytes, below: DocumentedLimits.openMarket.pictureBytes)
    } catch {
      throw CommandError(error, picture: path)
    }
  }

  /// Returns the bytes of a JPEG or PNG that a file in a folder states, as they are.
  ///
  /// - Throws: `CommandError` for a file that isn't a picture, can't be read or is larger than `limit` bytes, and for a path
  ///   that leaves the folder.
  package static func bytes(stated path: String, in folder: ConfinedPath, limit: Int) throws(CommandError) -> Data {
    let bytes = try bytes(path, in: folder)
    do throws(PictureError) {
      guard bytes.count <= limit else { throw .tooLarge(bytes: bytes.count, limit: limit) }
      _ = try PictureHeader.read(bytes)
      return bytes
    } catch {
      throw CommandError(error, picture: path)
    }
  }

  /// Returns the bytes of a picture whose path a product file of the folder contains.
  private static func bytes(_ path: String, in folder: ConfinedPath) throws(CommandError) -> Data {
    let opened: (descriptor: Int32, status: stat)?
    do throws(FileError) {
      opened = try ConfinedPath(stated: path, below: folder).openRegularFile()
    } catch {
      throw CommandError(error)
    }
    guard let file = opened?.descriptor else { throw CommandError(.notFound(path: path), picture: path) }
    defer { close(file) }
    do throws(PictureError) {
      return try PictureFileReader.read(descriptor: file, path: path)
    } catch {
      throw CommandError(error, picture: path)
    }
  }

  /// The messages on how a picture was changed, and on its size.
  private static func notes(_ path: String, _ fitted: FittedPicture) -> [Message] {
    let (old, new) = (NumberFormatting.bytes(fitted.originalSize), NumberFormatting.bytes(fitted.bytes.count))
    let sizes = "\(old) -> \(new), \(fitted.width)x\(fitted.height)"
    var remarks: [Message] = []
    if let source = fitted.originalFormat {
      let format = fitted.format.rawValue.uppercased()
      remarks.append(
        .note(
          "Converted \(.value(path)) from \(source.name) to \(format): \(sizes).",
          ko: "\(.value(path)): \(source.name)에서 \(format, .toward) 변환했습니다(\(sizes))."))
    } else if fitted.wasReencoded, fitted.originalSize >= DocumentedLimits.openMarket.pictureBytes {
      remarks.append(
        .note("Resized \(.value(path)): \(sizes).", ko: "\(.value(path)): 크기를 줄였습니다(\(sizes))."))
    }
    if fitted.wasRotated {
      remarks.append(.note("Rotated \(.value(path)) upright.", ko: "\(.value(path)): 사진을 바로 세웠습니다."))
    }
    if fitted.hadGPSLocation {
      remarks.append(
        .note(
          "Removed the GPS location from \(.value(path)).",
          ko: "\(.value(path)): 위치 정보(GPS)를 제거했습니다."))
    }
    if min(fitted.width, fitted.height) < minRecommendedSide {
      remarks.append(
        .warning(
          "\(.value(path)) is small: \(fitted.width)x\(fitted.height). \(minRecommendedSide) pixels or more are recommended.",
          ko: "\(.value(path)): \(fitted.width)x\(fitted.height)픽셀입니다. \(minRecommendedSide)픽셀 이상을 권장합니다."))
    }
    return remarks
  }
}

/// The validation of named pictures.
///
/// Each file is read only once, because validation runs at every key.
final class PictureValidationCache: Sendable {
  private let known = Mutex<[String: LocalizedText?]>([:])

  func problem(_ text: String, home: String?) -> LocalizedText? {
    let paths = text.split(atScalar: ",").map(\.trimmed)
    guard DocumentedLimits.openMarket.pictures.contains(paths.count) else {
      return LocalizedText("Give 1 to 5 image files, separated by commas.", ko: "사진 파일 1개에서 5개까지, 쉼표로 나눕니다.")
    }
    for path in paths {
      guard let problem = problem(of: Paths.expanded(path, home: home)) else { continue }
      // With several pictures, the message names the file.
      return paths.count == 1
        ? problem : LocalizedText("\(.value(path)): \(problem.english)", ko: "\(.value(path)): \(problem.korean)")
    }
    return nil
  }

  private func problem(of path: String) -> LocalizedText? {
    if let known = known.withLock({ $0[path] }) { return known }
    let problem = PictureUploadLoader.problem(path).map { $0.message.reasons.first ?? $0.message.what }
    // Only valid files are cached, because an invalid one may be corrected while the form is open.
    if problem == nil { known.withLock { $0[path] = .some(nil) } }
    return problem
  }
}

/// Saves the pictures that products are about to lose, so that an undo can restore them.
///
/// Pictures that couldn't be saved are mentioned before the confirmation.
package struct PictureBackup {
  private let runner: PlanRunner
  private let scope: CommandScope

  package init(_ market: Client<MarketService>, _ scope: CommandScope) {
    runner = scope.planRunner(for: market)
    self.scope = scope
  }

  package func save(of product: Product) async {
    let lost = await runner.savePictures(of: product)
    guard !lost.isEmpty else { return }
    let id = product.id
    scope.say(
      .warning(
        "Could not save \(lost.count == 1 ? StyledText("one image") : "\(lost.count) images") of product \(id). Undo will not restore \(lost.count == 1 ? StyledText("it") : "them").",
        ko: "\(id)번 상품의 사진 \(lost.count)장을 저장하지 못했습니다. 되돌려도 그 사진은 복원되지 않습니다."))
  }
}

import Catalog
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// The validation of named pictures.
///
/// Each file is read only once, because validation runs at every key.
final class PictureValidationCache: Sendable {
  private let known = Mutex<[String: LocalizedText?]>([:])

  func problem(_ text: String, home: String?) -> LocalizedText? {
    let paths = text.split(separator: ",").map(\.trimmed)
    guard DocumentedLimits.pictures.contains(paths.count) else {
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

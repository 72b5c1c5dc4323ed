import Catalog
import Platform
import Presentation
import Synchronization
import Text

/// What is wrong with named pictures, each file read once: the question comes at every key.
final class PictureCheck: Sendable {
  private let known = Mutex<[String: Wording?]>([:])

  func problem(_ text: String, home: String?) -> Wording? {
    let paths = text.split(separator: ",").map(\.trimmed)
    guard Limits.pictures.contains(paths.count) else {
      return Wording("1 to 5 picture files, with commas between them.", ko: "사진 파일 1개에서 5개까지, 쉼표로 나눕니다.")
    }
    for path in paths {
      guard let problem = problem(of: Paths.expanded(path, home: home)) else { continue }
      // Which of several it is has to be said.
      return paths.count == 1
        ? problem : Wording("\(.value(path)): \(problem.english)", ko: "\(.value(path)): \(problem.korean)")
    }
    return nil
  }

  private func problem(of path: String) -> Wording? {
    if let known = known.withLock({ $0[path] }) { return known }
    let problem = PictureFiles.problem(path).map { $0.message.reasons.first ?? $0.message.what }
    // A file that is not right may be put right while the form stands.
    if problem == nil { known.withLock { $0[path] = .some(nil) } }
    return problem
  }
}

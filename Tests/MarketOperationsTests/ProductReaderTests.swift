import Foundation
import Networking
import Shell
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// Many targets are found in the list, few are read one by one, and the plan is the same.
@Suite(.timeLimit(Trial.limit)) struct ProductReaderTests {
  /// A transport that counts requests.
  private final class Counter: Transport {
    let door: any Transport
    let asked: Asked

    init(_ door: any Transport, _ asked: Asked) {
      self.door = door
      self.asked = asked
    }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      asked.count(request.path.last == "products" ? .page : .product)
      return try await door.send(request, to: base, with: options)
    }
  }

  private final class Asked: Sendable {
    enum Kind { case page, product }
    private let counts = Mutex((pages: 0, products: 0))

    var pages: Int { counts.withLock { $0.pages } }
    var products: Int { counts.withLock { $0.products } }

    func count(_ kind: Kind) {
      counts.withLock { if kind == .page { $0.pages += 1 } else { $0.products += 1 } }
    }
  }

  private func plan(_ line: String) async throws -> (said: String, asked: Asked) {
    let asked = Asked()
    let said = Mutex("")
    try await Sandbox.with(between: { door, _ in Counter(door, asked) }) { sandbox in
      let text = await sandbox.run(line)
      said.withLock { $0 = text }
    }
    return (said.withLock { $0 }, asked)
  }

  @Test func manyProductsAreReadFromTheList() async throws {
    let (_, asked) = try await plan("dry patch 1-141 stock=77")
    #expect(asked.products == 0)
    #expect(asked.pages > 0 && asked.pages < 6)
  }

  /// Rows of a list have no image ids here, so each product is read.
  @Test func fieldsMissingInRowsAreReadFromTheProduct() async throws {
    let (_, asked) = try await plan("dry patch 1-141 thumbnail=1")
    #expect(asked.products == 141)
  }

  @Test func fewProductsAreReadOneByOne() async throws {
    let (_, asked) = try await plan("dry patch 1-50 stock=77")
    #expect(asked.products == 50 && asked.pages == 0)
  }

  @Test func missingIDsOfARangeAreSkipped() async throws {
    let (said, asked) = try await plan("dry patch 1-150 stock=77")
    #expect(asked.products == 9)
    #expect(said.contains("9 of 150 products do not exist and will be skipped."))
  }
}

import Foundation
import GRDB

/// Editions A1 and A2: items with a password each (protocol, A). Sample items have their vendor's secret for a password.
struct CampEdition: Edition {
  let kind: CampKind
  let desk: Desk
  let spelling = CampSpelling()

  func declare(on routes: inout Routes) {
    routes.get("/openapi.json") { [kind] call in .json(OpenAPIDocument.camp(base: call.base, kind)) }
    routes.get("/items/:page", list)
    routes.get("/item/:id", detail)
    routes.post("/item", create)
    routes.patch("/item/:id", edit)
    routes.delete("/item/:id", delete)
    routes.get("/images/:file") { call in
      try await PictureCounter(desk: desk, isSlow: true).answer(call.text("file")) { _ in .origin }
    }
    routes.get("/thumbnails/:file") { call in
      try await PictureCounter(desk: desk, isSlow: true).answer(call.text("file")) { _ in .thumb }
    }
  }

  /// A1 says `reason`; A2 says `message` where it found no item for the password or no form, else as A1 (protocol, A.6).
  func answer(to refusal: Refusal) -> Answer {
    switch kind {
    case .camp2 where [Refusal.wrongPassword, .notAForm].contains(refusal):
      return .json(.object([.init("message", .text(refusal.message))]), status: refusal.status)
    case .camp1, .camp2:
      let reason = refusal.status == 404 ? "Not Found" : refusal.message
      let body: JSON = .object([.init("error", .bool(true)), .init("reason", .text(reason))])
      return .json(body, status: refusal.status)
    }
  }

  @Sendable private func list(_ call: Call) async throws -> Answer {
    let page = try call.number("page")
    guard page >= 1, page < 1 << 40 else { throw Refusal(404, "Not Found") }
    let size = CampSpelling.pageSize
    let found = try await desk.store.read { database in
      try ProductPage.read(offset: (page - 1) * size, count: size, search: "", order: .oldestFirst, in: database)
    }
    return .json(spelling.page(page, found.products, base: call.base))
  }

  @Sendable private func detail(_ call: Call) async throws -> Answer {
    let id = try call.number("id")
    let row = try await desk.store.read { try ProductRow.find(id, in: $0) }
    guard let row else { throw Refusal.noProduct(id) }
    return .json(spelling.item(row, base: call.base))
  }
}
